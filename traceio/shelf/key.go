package shelf

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// ends is how much of a file's beginning and of its end goes into its identity.
const ends = 64 << 10

// Identity tells one state of one file from all others: by its path, size, time of change, beginning and end, and by
// the build of this program, since another one may make something else of it. It is "" for what is no regular file.
func Identity(f *os.File, path string) string {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%d\x00%d\x00", build(), path, info.Size(), info.ModTime().UnixNano())
	for _, at := range []int64{0, max(0, info.Size()-ends)} {
		if _, err := io.Copy(h, io.NewSectionReader(f, at, ends)); err != nil {
			return ""
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Key names an entry: what was made, of the file with an identity, with what else it was made of. It is "" for an
// identity that is.
func Key(identity, what string, of ...string) string {
	if identity == "" {
		return ""
	}
	h := sha256.New()
	for _, s := range of {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return identity + "-" + hex.EncodeToString(h.Sum(nil)[:4]) + "." + what
}

// build identifies this program by the linker's build ID, which is a hash of what went into it.
var build = sync.OnceValue(func() string {
	f, err := elf.Open("/proc/self/exe")
	if err != nil {
		return ""
	}
	defer f.Close()
	note := f.Section(".note.go.buildid")
	if note == nil {
		return ""
	}
	id, err := note.Data()
	if err != nil {
		return ""
	}
	return string(id)
})
