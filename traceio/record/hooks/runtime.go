package hooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// runtime are the files that programs are built with.
type runtime struct {
	object  string // for programs linked dynamically
	static  string // for those that are not
	exports string // what the linker is to let libraries see that are loaded later
	specs   string // for gcc's driver
}

var runtimeFlags = []string{"-x", "c", "-O2", "-fPIC", "-fexceptions", "-fomit-frame-pointer", "-fno-builtin",
	"-fno-stack-protector", "-Wno-unused-function", "-c"}

// prepare builds the runtime with the compiler unless the user's cache has it.
func prepare(ctx context.Context, compiler, self string) (runtime, error) {
	sources, err := sources()
	if err != nil {
		return runtime{}, err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, runtimeFlags, self, exportList, specifications(runtime{}))
	for _, s := range sources {
		fmt.Fprintln(sum, s.name, len(s.text))
		sum.Write(s.text)
	}
	dir, err := cacheDir(hex.EncodeToString(sum.Sum(nil))[:16])
	if err != nil {
		return runtime{}, err
	}
	rt := runtime{filepath.Join(dir, "hooks.o"), filepath.Join(dir, "hooks-static.o"), filepath.Join(dir, "hooks.list"),
		filepath.Join(dir, "hooks.specs")}
	if exists(rt.specs) { // written last
		return rt, nil
	}
	return rt, rt.build(ctx, compiler, self, dir, sources)
}

const exportList = "{ __tsan_*; __sanitizer_cov_*; __wrap_*; };\n"

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

type source struct {
	name string
	text []byte
}

// sources are the embedded C files in order of their names.
func sources() ([]source, error) {
	var out []source
	err := fs.WalkDir(assets.Recorder, "recorder", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := assets.Recorder.ReadFile(path)
		out = append(out, source{d.Name(), text})
		return err
	})
	return out, err
}

func recorderFile(name string) ([]byte, error) { return assets.Recorder.ReadFile("recorder/" + name) }

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}

// cacheDir is a directory that lasts as long as the build that uses it; the compilers' specifications cannot take every
// name.
func cacheDir(key string) (string, error) {
	return cachedir.Dir("hooks-"+key, cachedir.Need{Without: " \t%,:;{}", Whole: func(dir string) bool {
		return exists(filepath.Join(dir, "hooks.specs"))
	}})
}

// build compiles in a directory of its own and renames: several compilers of one build may come here at once.
func (rt runtime) build(ctx context.Context, compiler, self, dir string, sources []source) error {
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return fmt.Errorf("building the hooks: %w", err)
	}
	defer os.RemoveAll(work)
	for _, s := range sources {
		if err := os.WriteFile(filepath.Join(work, s.name), s.text, 0o644); err != nil {
			return fmt.Errorf("building the hooks: %w", err)
		}
	}
	for _, o := range []struct {
		path  string
		flags []string
	}{{rt.object, nil}, {rt.static, []string{"-DHOOKS_STATIC"}}} {
		args := append(append([]string{}, runtimeFlags...), o.flags...)
		cmd := exec.CommandContext(ctx, compiler, append(args, "-DORRERY_PROGRAM="+strconv.Quote(self), "-o",
			"object", "hooks.c")...)
		cmd.Dir = work
		if text, err := cmd.CombinedOutput(); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("building the hooks with %s failed: %w: %s", compiler, err, firstLine(text))
		}
		if err := os.Rename(filepath.Join(work, "object"), o.path); err != nil {
			return fmt.Errorf("building the hooks: %w", err)
		}
	}
	for _, f := range []struct{ path, text string }{{rt.exports, exportList}, {rt.specs, specifications(rt)}} {
		text := filepath.Join(work, "text")
		if err := os.WriteFile(text, []byte(f.text), 0o644); err != nil {
			return fmt.Errorf("building the hooks: %w", err)
		}
		if err := os.Rename(text, f.path); err != nil {
			return fmt.Errorf("building the hooks: %w", err)
		}
	}
	return nil
}
