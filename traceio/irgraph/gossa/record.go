package gossa

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Options say what to compile and dump.
type Options struct {
	Dir     string   // where the package is named from; "" is the current directory
	Package string   // as for go build: "./cmd/tool", "."; exactly one
	Func    string   // "multiply", "(*List).Sum", "multiply.func1", or with the package in front: "main.multiply"
	Build   []string // flags for go list, those that the program was built with: "-tags=debug", "-race"
	Flags   []string // flags for the compiler: "-N", "-l"
	Go      string   // the go command; "" finds it on the path
}

// Recorded is the compiler's dump.
type Recorded struct {
	*irgraph.Document
	Text []byte // for a file that Read reads as this document
}

// Record compiles one package so that the compiler dumps one function, and reads the dump. The package's
// imports are taken from go's build cache, where go list puts what is missing; the package itself is compiled beside
// it, into nothing: setting GOSSAFUNC for go build would compile everything again, the standard library included. The
// error is an *traceio.Error, or the context's.
func Record(ctx context.Context, opt Options) (*Recorded, error) {
	opt.Go = cmp.Or(opt.Go, "go")
	if opt.Func == "" {
		return nil, &traceio.Error{Msg: "no function is named",
			Hint: "name one as the compiler does: multiply, or (*List).Sum"}
	}
	p, err := list(ctx, opt)
	if err != nil {
		return nil, err
	}
	text, err := compile(ctx, opt, p)
	if err != nil {
		return nil, err
	}
	doc, err := Read(bytes.NewReader(text), p.ImportPath)
	if err != nil {
		return nil, &traceio.Error{File: p.Dir, Msg: fmt.Sprintf("the compiler found no function %q in package %s",
			opt.Func, p.ImportPath),
			Hint: "name it as in the source; a method is (*List).Sum, a closure multiply.func1; one that is inlined " +
				"everywhere has no code of its own", Err: err}
	}
	head := heading{compiler: p.version}
	head.find(doc)
	text = append([]byte(head.String()), text...)
	if doc, err = Read(bytes.NewReader(text), p.ImportPath); err != nil {
		return nil, err
	}
	return &Recorded{doc, text}, nil
}

// listed is a package as go list describes it.
type listed struct {
	Dir, ImportPath, Name, Export string
	CompiledGoFiles               []string
	EmbedPatterns, EmbedFiles     []string
	Module                        *struct{ GoVersion string }
	ImportMap                     map[string]string
	DepOnly, Standard             bool
	Error                         *struct{ Err string }

	exports [][2]string // import path, file
	version string
}

// list runs go list for the package and for the files with what it imports.
func list(ctx context.Context, opt Options) (*listed, error) {
	args := append([]string{"list",
		"-json=Dir,ImportPath,Name,Export,CompiledGoFiles,EmbedPatterns,EmbedFiles,Module,ImportMap,DepOnly,Standard,Error",
		"-export", "-deps", "-compiled", "-e"}, opt.Build...)
	out, err := run(ctx, opt, opt.Dir, nil, append(args, "--", opt.Package)...)
	if err != nil {
		return nil, err
	}
	var found []*listed
	var exports [][2]string
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		p := &listed{}
		if err := dec.Decode(p); err != nil {
			return nil, &traceio.Error{File: opt.Package, Msg: fmt.Sprintf("what go list says cannot be read: %v", err),
				Err: err}
		}
		if !p.DepOnly {
			found = append(found, p)
		} else if p.Export != "" {
			exports = append(exports, [2]string{p.ImportPath, p.Export})
		}
	}
	switch {
	case len(found) != 1:
		return nil, &traceio.Error{File: opt.Package, Msg: fmt.Sprintf("this is %d packages", len(found)),
			Hint: "name one, such as ./cmd/tool"}
	case found[0].Error != nil:
		return nil, &traceio.Error{File: opt.Package, Msg: strings.TrimSpace(found[0].Error.Err),
			Hint: "does `go build` work there?"}
	case len(found[0].CompiledGoFiles) == 0:
		return nil, &traceio.Error{File: opt.Package, Msg: "the package has no Go files",
			Hint: "name a directory with Go source"}
	}
	p := found[0]
	p.exports = exports
	version, err := run(ctx, opt, p.Dir, nil, "env", "GOVERSION", "GOARCH")
	if err != nil {
		return nil, err
	}
	p.version = strings.Join(strings.Fields(string(version)), " ")
	return p, nil
}

// compile runs the compiler and returns its output.
func compile(ctx context.Context, opt Options, p *listed) ([]byte, error) {
	work, err := os.MkdirTemp("", "orrery-graph-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	imports := filepath.Join(work, "importcfg")
	if err := os.WriteFile(imports, p.importConfig(), 0o600); err != nil {
		return nil, err
	}
	name := p.ImportPath
	if p.Name == "main" {
		name = "main"
	}
	args := []string{"tool", "compile", "-S", "-c=1", "-p", name, "-importcfg", imports, "-o",
		filepath.Join(work, "out.o")}
	if p.Module != nil && p.Module.GoVersion != "" {
		args = append(args, "-lang=go"+languageVersion(p.Module.GoVersion))
	}
	if p.Standard {
		args = append(args, "-std")
	}
	if len(p.EmbedPatterns) > 0 {
		embed := filepath.Join(work, "embedcfg")
		if err := os.WriteFile(embed, p.embedConfig(), 0o600); err != nil {
			return nil, err
		}
		args = append(args, "-embedcfg", embed)
	}
	args = append(args, opt.Flags...)
	for _, f := range p.CompiledGoFiles {
		if !filepath.IsAbs(f) {
			f = filepath.Join(p.Dir, f)
		}
		args = append(args, f)
	}
	return run(ctx, opt, p.Dir, []string{"GOSSAFUNC=" + opt.Func + "+", "GOSSADIR=" + work}, args...)
}

// importConfig says where what the package imports is.
func (p *listed) importConfig() []byte {
	var b bytes.Buffer
	for from, to := range p.ImportMap {
		fmt.Fprintf(&b, "importmap %s=%s\n", from, to)
	}
	for _, e := range p.exports {
		fmt.Fprintf(&b, "packagefile %s=%s\n", e[0], e[1])
	}
	return b.Bytes()
}

// embedConfig says which files the patterns of go:embed stand for.
func (p *listed) embedConfig() []byte {
	c := struct {
		Patterns map[string][]string
		Files    map[string]string
	}{map[string][]string{}, map[string]string{}}
	for _, f := range p.EmbedFiles {
		c.Files[f] = filepath.Join(p.Dir, f)
		for _, pattern := range p.EmbedPatterns {
			bare := strings.TrimPrefix(pattern, "all:")
			for at := f; at != "."; at = path.Dir(at) { // a pattern may name a directory above
				if ok, err := path.Match(bare, at); err == nil && ok {
					c.Patterns[pattern] = append(c.Patterns[pattern], f)
					break
				}
			}
		}
	}
	out, _ := json.Marshal(c)
	return out
}

// languageVersion is what the compiler takes of a module's version: "1.26" of "1.26.3".
func languageVersion(v string) string {
	part := strings.SplitN(v, ".", 3)
	if len(part) < 2 {
		return v
	}
	minor, _, _ := strings.Cut(part[1], "rc")
	return part[0] + "." + minor
}

// run runs go and gives its standard output.
func run(ctx context.Context, opt Options, dir string, env []string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, opt.Go, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	err := c.Run()
	switch {
	case err == nil:
		return out.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, &traceio.Error{Msg: "there is no go command on the path",
			Hint: "install Go from https://go.dev/dl or with: sudo apt install golang", Err: err}
	}
	said := strings.TrimSpace(complaint.String())
	if said == "" {
		said = lastLine(out.String())
	}
	return nil, &traceio.Error{File: opt.Package, Msg: fmt.Sprintf("go %s failed (%v): %.400s", args[0], err, said),
		Hint: "does `go build` work there? (" + runtime.GOOS + "/" + runtime.GOARCH + ")", Err: err}
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
