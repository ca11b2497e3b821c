package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"orrery/assets"
	"orrery/traceio/cachedir"
)

// installLine is what a user of Debian types when something is missing.
const installLine = "sudo apt install qemu-user gcc"

// ErrMissing is wrapped by the error of Run when a program that it needs is not installed.
var ErrMissing = errors.New("not installed")

// tools are the paths of what a recording needs.
type tools struct {
	qemu, plugin, preload string
}

// lookUp finds a program; debian is the package that has it.
func lookUp(name, what string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("recording needs %s (%s), which is %w; install it with: %s", name, what,
			ErrMissing, installLine)
	}
	return path, nil
}

var (
	pluginFlags  = []string{"-O2", "-shared", "-fPIC", "-fvisibility=hidden"}
	preloadFlags = []string{"-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-builtin", "-ftls-model=initial-exec"}
)

// prepare finds the emulator and builds the two shared objects unless the user's cache has them. cleanup removes what
// could not be put into the cache.
func prepare(ctx context.Context) (t tools, cleanup func(), err error) {
	cleanup = func() {}
	if t.qemu, err = lookUp("qemu-x86_64", "the emulator"); err != nil {
		return t, cleanup, err
	}
	api := "-DINTERFACE=" + strconv.Itoa(pluginInterface(ctx, t.qemu))
	sources, key, err := recorderSources(api)
	if err != nil {
		return t, cleanup, err
	}
	dir, err := cachedir.Dir("recorder-"+key, cachedir.Need{Without: ",: ", Whole: func(dir string) bool {
		return exists(filepath.Join(dir, "plugin.so")) && exists(filepath.Join(dir, "preload.so"))
	}})
	if err != nil {
		if dir, err = os.MkdirTemp("", "orrery-recorder-"); err != nil {
			return t, cleanup, fmt.Errorf("making a place for the recorder: %w", err)
		}
		cleanup = func() { os.RemoveAll(dir) }
	}
	t.plugin, t.preload = filepath.Join(dir, "plugin.so"), filepath.Join(dir, "preload.so")
	if exists(t.plugin) && exists(t.preload) {
		return t, cleanup, nil
	}
	gcc, err := lookUp("gcc", "the compiler that builds the recorder, once")
	if err != nil {
		return t, cleanup, err
	}
	if err := build(ctx, gcc, dir, sources, api); err != nil {
		cleanup()
		return t, func() {}, err
	}
	return t, cleanup, nil
}

// pluginInterface is the version of the plugin interface to ask for: QEMU 9 dropped version 1.
func pluginInterface(ctx context.Context, qemu string) int {
	text, err := exec.CommandContext(ctx, qemu, "--version").Output()
	if err != nil {
		return 1
	}
	return interfaceOf(string(text))
}

// interfaceOf reads "qemu-x86_64 version 7.2.22 (Debian ...)".
func interfaceOf(text string) int {
	_, version, _ := strings.Cut(text, "version ")
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err == nil && n >= 9 {
		return 2
	}
	return 1
}

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// recorderSources reads the embedded C files; the key is a hash of them and of the flags that they are built with.
func recorderSources(api string) (map[string][]byte, string, error) {
	sources := map[string][]byte{}
	sum := sha256.New()
	fmt.Fprintln(sum, pluginFlags, preloadFlags, api)
	err := fs.WalkDir(assets.Recorder, "recorder", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := assets.Recorder.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, path, len(text))
		sum.Write(text)
		sources[d.Name()] = text
		return nil
	})
	return sources, hex.EncodeToString(sum.Sum(nil))[:16], err
}

// build compiles into a directory of its own inside dir and renames, so that two recordings started at once do not see
// each other's half-written files.
func build(ctx context.Context, gcc, dir string, sources map[string][]byte, api string) error {
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return fmt.Errorf("building the recorder: %w", err)
	}
	defer os.RemoveAll(work)
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(work, name), text, 0o644); err != nil {
			return fmt.Errorf("building the recorder: %w", err)
		}
	}
	for _, object := range []struct {
		name  string
		flags []string
	}{{"plugin", pluginFlags}, {"preload", preloadFlags}} {
		args := append(append([]string{api}, object.flags...), "-o", object.name+".so", object.name+".c", "-ldl")
		cmd := exec.CommandContext(ctx, gcc, args...)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("building the recorder's %s.c with gcc failed: %w", object.name, Reported(err, out))
		}
		if err := os.Rename(filepath.Join(work, object.name+".so"), filepath.Join(dir, object.name+".so")); err != nil {
			return fmt.Errorf("building the recorder: %w", err)
		}
	}
	return nil
}
