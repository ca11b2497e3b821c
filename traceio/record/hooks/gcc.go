package hooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"orrery/traceio/symbols"
)

// gccArguments adds one argument: a file of specifications, by which gcc's driver itself passes the compiler's flags to
// the compiler and the linker's to the linker, whatever the command line makes it do.
func gccArguments(ctx context.Context, compiler string, rest []string, rt runtime, opt Options) ([]string, error) {
	out := append([]string{"-specs=" + rt.specs}, rest...)
	if !opt.Locals {
		return out, nil
	}
	plugin, err := localsPlugin(ctx, compiler, filepath.Dir(rt.specs))
	return append(out, "-fplugin="+plugin, "-O0", "-Wl,--wrap="+symbols.GCCEntry), err
}

// specifications is the text of that file. The compiler proper makes the sanitizer's calls; the driver does not know,
// so it links no sanitizer and takes -static. Objects for a kernel, without a C library or with a sanitizer of their
// own stay as they are. A shared library gets no runtime: the program that loads it has it.
func specifications(rt runtime) string {
	var b strings.Builder
	section := func(name, text string) { b.WriteString("*" + name + ":\n+ " + text + "\n\n") }
	section("cc1", "%{!ffreestanding:%{!nostdlib:%{!fsanitize=*: -fsanitize=thread -U__SANITIZE_THREAD__ "+
		strings.Join(compileFlags(), " ")+" }}}")
	section("startfile", "%{!shared:%{!r:%{static|static-pie:"+rt.static+";:"+rt.object+"}}}")
	section("link", "%{!nostdlib:%{!nostartfiles:%{!r:"+strings.Join(each("--wrap=", wrapped), " ")+
		" %{static|static-pie:"+strings.Join(each("--wrap=", replaced), " ")+";:--wrap=dlopen %{!shared:--dynamic-list="+
		rt.exports+"}}}}}")
	section("lib", "%{shared:-z undefs;:%{!r:-ldl -lpthread}}")
	return b.String()
}

// localsPlugin builds the compiler's plugin, assets/recorder/hooks_locals.cc, which gcc takes only from the version of
// itself whose headers it was built with.
func localsPlugin(ctx context.Context, compiler, dir string) (string, error) {
	ask := func(flag string) string {
		text, _ := exec.CommandContext(ctx, compiler, flag).Output()
		return strings.TrimSpace(string(text))
	}
	place, version := ask("-print-file-name=plugin"), ask("-dumpversion")
	cxx, err := exec.LookPath(filepath.Join(filepath.Dir(compiler),
		strings.Replace(filepath.Base(compiler), "gcc", "g++", 1)))
	if err != nil || !strings.Contains(cxx, "g++") {
		cxx, err = exec.LookPath("g++")
	}
	if err != nil || !exists(filepath.Join(place, "include", "gcc-plugin.h")) {
		return "", fmt.Errorf("with gcc, --locals needs the headers of gcc's plugins, which are not installed: sudo apt "+
			"install g++ gcc-%s-plugin-dev, or use clang", version)
	}
	text, err := recorderFile("hooks_locals.cc")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(place + ask("-dumpfullversion") + string(text)))
	plugin := filepath.Join(dir, "locals-"+hex.EncodeToString(sum[:6])+".so")
	if exists(plugin) {
		return plugin, nil
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", fmt.Errorf("building gcc's plugin: %w", err)
	}
	defer os.RemoveAll(work)
	source, object := filepath.Join(work, "hooks_locals.cc"), filepath.Join(work, "locals.so")
	if err := os.WriteFile(source, text, 0o644); err != nil {
		return "", fmt.Errorf("building gcc's plugin: %w", err)
	}
	cmd := exec.CommandContext(ctx, cxx, "-O1", "-shared", "-fPIC", "-fno-rtti", "-I"+filepath.Join(place, "include"),
		"-o", object, source)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building gcc's plugin with %s failed: %w: %s", cxx, err, firstLine(text))
	}
	if err := os.Rename(object, plugin); err != nil {
		return "", fmt.Errorf("building gcc's plugin: %w", err)
	}
	return plugin, nil
}
