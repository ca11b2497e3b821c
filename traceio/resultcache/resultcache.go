// Package resultcache keeps results that were computed from a file, so that opening the file a second time is fast: a
// foreign trace converted to our format, the counts of a long recording. In: the file's identity and the bytes to keep.
// Out: the same bytes, verified, or nothing. The cache is optional: an entry that is missing or damaged is computed
// anew, and a failure of the cache never fails its caller.
//
// An entry is one file in the user's cache directory. It is written under a temporary name, synced and renamed, so that
// a reader finds all of it or none. A trailer holds the length and the checksum:
//
//	| entry ... | "rslt" 4 | CRC-32C 4 | length 8 |
//
// When all entries together exceed the limit, the least recently used are removed.
package resultcache

import (
	"cmp"
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

// Variable is the environment variable that names another directory for the cache, or "off" for no cache.
const Variable = "ORRERY_RESULT_CACHE"

// oldVariable is an earlier name of Variable, which still counts where Variable is not set.
const oldVariable = "ORRERY_SHELF"

// DefaultLimit is the size limit in bytes of all entries together, unless the user has set another.
const DefaultLimit = 4 << 30

// Cache is a directory of entries. A nil Cache is switched off: it keeps nothing. It may be used from several
// goroutines and processes.
type Cache struct{ dir string }

// Open returns the user's cache, nil when it is switched off or the user has no cache directory.
func Open() *Cache {
	switch at := cmp.Or(os.Getenv(Variable), os.Getenv(oldVariable)); at {
	case "off":
		return nil
	case "":
		base, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		return At(filepath.Join(base, "orrery", "results"))
	default:
		return At(at)
	}
}

// At is the cache in a directory, which is created when the first entry is put there.
func At(dir string) *Cache { return &Cache{dir: dir} }

// Dir is where the entries are.
func (s *Cache) Dir() string { return s.dir }

const (
	limitFile  = "limit"
	tempPrefix = "making-"
	tempLife   = time.Hour // an older temporary file was left behind by a process that ended
	trailerLen = 16
	trailer    = "rslt"
	// checkAll is the size up to which Get verifies an entry's checksum, which takes some 20 ms. Longer entries have
	// checksums of their own, see package orr.
	checkAll = 128 << 20
	// leave is how many bytes of the disk stay free.
	leave = 512 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Entry is an entry that is open for reading.
type Entry struct {
	*os.File
	Size int64 // without the trailer
}

// Get opens the entry with a key. The error is fs.ErrNotExist when there is none or it is damaged.
func (s *Cache) Get(key string) (*Entry, error) {
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
		s.Remove(key)
		return nil, fs.ErrNotExist
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	return &Entry{f, size}, nil
}

var errDamaged = errors.New("the entry is damaged")

// verify checks an entry's trailer and, up to checkAll bytes, its checksum.
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

// Put stores the size bytes that write writes, under a key. When there is no room it returns an error and leaves
// nothing.
func (s *Cache) Put(key string, size int64, write func(io.Writer) error) (err error) {
	if s == nil || key == "" {
		return nil
	}
	limit := s.Limit()
	if size > limit/2 { // one entry must not evict all others
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

// summing counts the bytes that pass and computes their checksum.
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

// Remove deletes an entry. Who has it open can read on.
func (s *Cache) Remove(key string) {
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

// list returns all entries, the least recently used first, and removes temporary files that were left behind.
func (s *Cache) list() []kept {
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

// trim removes the least recently used entries until the rest fit the limit.
func (s *Cache) trim(limit int64) {
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

// Usage is the number of entries and their size together.
func (s *Cache) Usage() (entries int, bytes int64) {
	if s == nil {
		return 0, 0
	}
	for _, k := range s.list() {
		entries++
		bytes += k.size
	}
	return entries, bytes
}

// Clear removes all entries.
func (s *Cache) Clear() {
	if s != nil {
		s.trim(-1)
	}
}

// Limit is how many bytes the entries may take together; 0 keeps nothing.
func (s *Cache) Limit() int64 {
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

// SetLimit stores how many bytes the entries may take together, and trims them to that.
func (s *Cache) SetLimit(limit int64) error {
	if s == nil {
		return fmt.Errorf("the result cache is switched off by the environment variable %s", Variable)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("set the limit of the result cache: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, limitFile), []byte(strconv.FormatInt(limit, 10)+"\n"), 0o600); err != nil {
		return fmt.Errorf("set the limit of the result cache: %w", err)
	}
	s.trim(limit)
	return nil
}
