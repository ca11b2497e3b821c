package preload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"orrery/assets"
	"orrery/traceio/cachedir"
	"orrery/traceio/record"
)

// sources are the wrapper's, among the recorder's C files; the headers come last and are not compiled by themselves.
var sources = []string{"heaponly.c", "heaponly_log.c", "heaponly_records.c", "heaponly_maps.c", "heaponly_unwind.c",
	"heaponly_exec.c", "heaponly_filter.c",
	"heaponly_log.h", "heaponly.h", "environment.h", "early_arena.h", "real_allocator.h"}

// The frame pointer tells the wrapper where its caller's stack begins.
var flags = []string{"-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-builtin", "-fno-omit-frame-pointer",
	"-ftls-model=initial-exec"}

const libraryName = "heaponly.so"

// library is the path of the wrapper, which is compiled unless the user's cache has it. cleanup removes what could not
// be put there.
func library(ctx context.Context) (path string, cleanup func(), err error) {
	cleanup = func() {}
	sum := sha256.New()
	fmt.Fprintln(sum, flags)
	texts := map[string][]byte{}
	for _, name := range sources {
		if texts[name], err = assets.Recorder.ReadFile("recorder/" + name); err != nil {
			return "", cleanup, err
		}
		sum.Write(texts[name])
	}
	dir, err := cachedir.Dir("heaponly-"+hex.EncodeToString(sum.Sum(nil))[:16],
		cachedir.Need{Without: ": ", Whole: func(dir string) bool {
			info, err := os.Stat(filepath.Join(dir, libraryName))
			return err == nil && info.Mode().IsRegular()
		}})
	if err != nil {
		if dir, err = os.MkdirTemp("", "orrery-heaponly-"); err != nil {
			return "", cleanup, fmt.Errorf("making a place for the recorder: %w", err)
		}
		cleanup = func() { os.RemoveAll(dir) }
	}
	path = filepath.Join(dir, libraryName)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path, cleanup, nil
	}
	if err := build(ctx, dir, path, texts); err != nil {
		cleanup()
		return "", func() {}, err
	}
	return path, cleanup, nil
}

// build compiles beside the library and renames, so that recordings that are started at once do not see half of it.
func build(ctx context.Context, dir, path string, texts map[string][]byte) error {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return fmt.Errorf("recording needs gcc (the compiler that builds the recorder, once), which is %w; install it "+
			"with: sudo apt install gcc libc6-dev", record.ErrMissing)
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return fmt.Errorf("building the recorder: %w", err)
	}
	defer os.RemoveAll(work)
	args := append([]string{}, flags...)
	args = append(args, "-o", libraryName)
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(work, name), text, 0o644); err != nil {
			return fmt.Errorf("building the recorder: %w", err)
		}
	}
	for _, name := range sources {
		if strings.HasSuffix(name, ".c") {
			args = append(args, name)
		}
	}
	cmd := exec.CommandContext(ctx, gcc, append(args, "-ldl", "-lpthread")...)
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return fmt.Errorf("building the heap recorder with gcc failed: %w", record.Reported(err, out))
	}
	return os.Rename(filepath.Join(work, libraryName), path)
}
