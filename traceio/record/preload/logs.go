package preload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// logDir creates a directory for the logs: beside the recording, or among the temporary files when that is a pipe.
func logDir(out string) (string, error) {
	dir, err := filepath.Abs(filepath.Dir(out))
	if err != nil {
		return "", err
	}
	logs, err := os.MkdirTemp(dir, logDirPrefix)
	if err != nil {
		if logs, err = os.MkdirTemp("", "orrery-heap-"); err != nil {
			return "", fmt.Errorf("making a place for the log of allocations: %w", err)
		}
	}
	return logs, nil
}

const logDirPrefix = ".orrery-heap-"

// logFiles are the paths of the logs. The path of the directory may have anything in it, so this is no Glob.
func (s *session) logFiles() ([]string, error) {
	entries, err := os.ReadDir(s.logs)
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "log.") && e.Type().IsRegular() {
			out = append(out, filepath.Join(s.logs, e.Name()))
		}
	}
	return out, err
}

// image is the log of one process image.
type image struct {
	path string
	size int64
	head header
}

// waitForOthers waits for processes that the program has forked: each holds a lock on its log. When ctx ends, the rest
// run on unrecorded.
func (s *session) waitForOthers(ctx context.Context) {
	for !s.opt.Alone && s.anyRunning() {
		select {
		case <-ctx.Done():
			s.stop()
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *session) anyRunning() bool {
	files, _ := s.logFiles()
	return slices.ContainsFunc(files, stillRunning)
}

// stillRunning tells whether the process of a log still runs.
func stillRunning(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// remove removes the logs. Processes that still run have theirs mapped, so those are not truncated but punched out: a
// write behind the end of the file would kill the process.
func (s *session) remove() error {
	files, _ := s.logFiles()
	for _, path := range files {
		if !stillRunning(path) {
			continue
		}
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			if info, err := f.Stat(); err == nil && info.Size() > headerLen {
				_ = unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, headerLen,
					info.Size()-headerLen)
			}
			f.Close()
		}
	}
	return os.RemoveAll(s.logs)
}

// images are the logs in the order in which they were begun.
func (s *session) images() ([]image, error) {
	files, err := s.logFiles()
	if err != nil {
		return nil, fmt.Errorf("reading the log of allocations: %w", err)
	}
	var images []image
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("reading the log of allocations: %w", err)
		}
		info, err := f.Stat()
		if err == nil {
			var h header
			if h, err = readHeader(f, info.Size(), path); err == nil {
				images = append(images, image{path, info.Size(), h})
				s.total += int64(h.chunksInFile * h.chunk)
			}
		}
		f.Close()
	}
	slices.SortFunc(images, func(a, b image) int {
		return cmp.Or(cmp.Compare(a.head.ns0, b.head.ns0), cmp.Compare(a.path, b.path))
	})
	return images, nil
}

// silent tells whether an image has no events.
func silent(im image) (bool, error) {
	f, err := os.Open(im.path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	l, err := OpenLog(f, im.size, im.path)
	if err != nil {
		return false, err
	}
	if err := l.open(); err != nil {
		return false, err
	}
	return len(l.active) == 0, nil
}
