package resultcache

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

// ends is how many bytes of a file's beginning, and of its end, go into its identity.
const ends = 64 << 10

// Identity is a hash of a file's path, size, modification time, first and last bytes, and of this program's build ID,
// since another build may compute another result. It is "" for anything but a regular file.
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

// Key is the name of an entry: the identity of the file, a hash of the options that the result depends on (of), and the
// kind of result. It is "" where the identity is.
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

// build is the linker's build ID of this program, a hash of what it was built from.
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
