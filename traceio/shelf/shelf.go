// Package shelf keeps what was made of a file, so that it need not be made again: a foreign trace as blocks of ours,
// the counts of a long recording. In go a file's identity and the bytes to keep; out come the same bytes, verified, or
// nothing. Nothing on the shelf is needed: whatever is missing, damaged or in the way is made anew, and no failure of
// the shelf is a failure of its user.
//
// An entry is one file in the user's cache directory. It is written under another name, brought to the disk and then
// renamed, so that a reader finds all of it or none; a trailer tells its length and checksum:
//
//	| what is kept ... | "shlf" 4 | CRC-32C 4 | length 8 |
//
// The entries used longest ago go when all of them together exceed the limit.
package shelf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Variable is the environment variable that puts the shelf elsewhere: a directory, or "off" for none.
const Variable = "ORRERY_SHELF"

// DefaultLimit is how many bytes all entries take at most where the user has not said otherwise.
const DefaultLimit = 4 << 30

// Shelf is a directory of entries. A nil Shelf keeps nothing and has nothing. It may be used from several goroutines
// and processes.
type Shelf struct{ dir string }

// Open gives the user's shelf, nil when it is switched off or there is no place for it.
func Open() *Shelf {
	switch at := os.Getenv(Variable); at {
	case "off":
		return nil
	case "":
		base, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		return At(filepath.Join(base, "orrery", "shelf"))
	default:
		return At(at)
	}
}

// At is the shelf in a directory, which is made when it is needed.
func At(dir string) *Shelf { return &Shelf{dir: dir} }

// Dir is where the entries are.
func (s *Shelf) Dir() string { return s.dir }

const (
	limitFile  = "limit"
	tempPrefix = "making-"
	tempLife   = time.Hour // after which a file that somebody began is nobody's
	trailerLen = 16
	trailer    = "shlf"
	// checkAll is the size up to which an entry's checksum is verified whenever it is taken, some 20 ms. What is longer
	// has checksums of its own, see the package orr.
	checkAll = 128 << 20
	// leave is what must stay free on the disk for others.
	leave = 512 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Entry is what is kept under a key, open for reading.
type Entry struct {
	*os.File
	Size int64 // of what is kept, without the trailer
}

// Get takes the entry with a key. The error is fs.ErrNotExist when there is none, or none that is whole.
func (s *Shelf) Get(key string) (*Entry, error) {
	if s == nil || key == "" || s.Limit() == 0 {
		return nil, fs.ErrNotExist
	}
	path := filepath.Join(s.dir, key)
	f, err := os.Open(path)
	if err != nil {
		return nil, fs.ErrNotExist
	}
	size, err := verify(f)
	if err != nil {
		f.Close()
		s.Drop(key)
		return nil, fs.ErrNotExist
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	return &Entry{f, size}, nil
}

var errDamaged = errors.New("the entry is damaged")

// verify reads an entry's trailer, and in all that is not very long its checksum.
func verify(f *os.File) (size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size = info.Size() - trailerLen
	if !info.Mode().IsRegular() || size < 0 {
		return 0, errDamaged
	}
	var end [trailerLen]byte
	if _, err := f.ReadAt(end[:], size); err != nil {
		return 0, err
	}
	if string(end[:4]) != trailer || binary.LittleEndian.Uint64(end[8:]) != uint64(size) {
		return 0, errDamaged
	}
	if size > checkAll {
		return size, nil
	}
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return 0, err
	}
	if sum.Sum32() != binary.LittleEndian.Uint32(end[4:]) {
		return 0, errDamaged
	}
	return size, nil
}

// Put keeps size bytes, which write gives, under a key. It fails without harm when there is no room.
func (s *Shelf) Put(key string, size int64, write func(io.Writer) error) (err error) {
	if s == nil || key == "" {
		return nil
	}
	limit := s.Limit()
	if size > limit/2 { // one entry must not sweep out all others
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("keep %s: %w", key, err)
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(s.dir, &disk); err != nil || int64(disk.Bavail)*disk.Bsize < size+leave {
		return fmt.Errorf("keep %s: no room on the disk for %d bytes", key, size)
	}
	f, err := os.CreateTemp(s.dir, tempPrefix)
	if err != nil {
		return fmt.Errorf("keep %s: %w", key, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("keep %s: %w", key, err)
		}
	}()
	w := &summing{w: f}
	if err := write(w); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint32([]byte(trailer), w.sum)
	if _, err := f.Write(binary.LittleEndian.AppendUint64(end, uint64(w.n))); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(s.dir, key)); err != nil {
		return err
	}
	s.trim(limit)
	return nil
}

// summing counts and sums what is written through it.
type summing struct {
	w   io.Writer
	n   int64
	sum uint32
}

func (s *summing) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.n += int64(n)
	s.sum = crc32.Update(s.sum, castagnoli, p[:n])
	return n, err
}

// Drop throws an entry away. Who has it open can read on.
func (s *Shelf) Drop(key string) {
	if s != nil && key != "" {
		os.Remove(filepath.Join(s.dir, key))
	}
}

// kept is one entry in the directory.
type kept struct {
	path string
	size int64
	used time.Time
}

// list gives all entries, the one used longest ago first, and removes what unfinished writers left.
func (s *Shelf) list() []kept {
	files, _ := os.ReadDir(s.dir)
	var all []kept
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() || f.Name() == limitFile {
			continue
		}
		path := filepath.Join(s.dir, f.Name())
		if strings.HasPrefix(f.Name(), tempPrefix) {
			if time.Since(info.ModTime()) > tempLife {
				os.Remove(path)
			}
			continue
		}
		all = append(all, kept{path, info.Size(), info.ModTime()})
	}
	slices.SortStableFunc(all, func(a, b kept) int { return a.used.Compare(b.used) })
	return all
}

// trim removes entries until those that stay fit the limit.
func (s *Shelf) trim(limit int64) {
	all := s.list()
	total := int64(0)
	for _, k := range all {
		total += k.size
	}
	for _, k := range all {
		if total <= limit {
			return
		}
		os.Remove(k.path)
		total -= k.size
	}
}

// Usage is how many entries there are, and their bytes.
func (s *Shelf) Usage() (entries int, bytes int64) {
	if s == nil {
		return 0, 0
	}
	for _, k := range s.list() {
		entries++
		bytes += k.size
	}
	return entries, bytes
}

// Clear throws all entries away.
func (s *Shelf) Clear() {
	if s != nil {
		s.trim(-1)
	}
}

// Limit is how many bytes the entries may take together; 0 keeps nothing.
func (s *Shelf) Limit() int64 {
	if s == nil {
		return 0
	}
	text, err := os.ReadFile(filepath.Join(s.dir, limitFile))
	if err != nil {
		return DefaultLimit
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n < 0 {
		return DefaultLimit
	}
	return n
}

// SetLimit remembers how many bytes the entries may take together and removes those beyond.
func (s *Shelf) SetLimit(limit int64) error {
	if s == nil {
		return fmt.Errorf("the shelf is switched off by the environment variable %s", Variable)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("set the shelf's limit: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, limitFile), []byte(strconv.FormatInt(limit, 10)+"\n"), 0o600); err != nil {
		return fmt.Errorf("set the shelf's limit: %w", err)
	}
	s.trim(limit)
	return nil
}
