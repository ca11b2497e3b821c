package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/gossa"
	"orrery/traceio/named"
)

// SourceFiles are the files with text of which references are recorded, as the recording names them.
func (r *Recording) SourceFiles() []string { return r.files() }

// GoGraph asks Go's compiler for the graphs of a function of the recorded program, as the recording names it:
// "main.sum". The package is compiled where its source is, if it still is as it was recorded, else from the recording's
// own copy of it. The error is a *traceio.Error, or the context's.
func (r *Recording) GoGraph(ctx context.Context, function string) (*gossa.Recorded, error) {
	var file string
	for i := range int32(r.Lines.Len()) {
		if l := r.Lines.At(i); l.Function == function && r.Text(l.File) != "" {
			file = l.File
			break
		}
	}
	if file == "" {
		return nil, &traceio.Error{File: r.Name(), Msg: fmt.Sprintf("the recording has no source text of %s", function),
			Hint: "record it again where its source is"}
	}
	if now, err := named.Read(file, int64(len(r.Text(file)))); err == nil && filepath.IsAbs(file) &&
		string(now) == r.Text(file) {
		return gossa.Record(ctx, gossa.Options{Dir: filepath.Dir(file), Package: ".", Func: inPackage(function)})
	}
	dir, err := os.MkdirTemp("", "orrery-graph-")
	if err != nil {
		return nil, &traceio.Error{File: r.Name(), Msg: fmt.Sprintf("there is no place for a copy of the source: %v", err),
			Hint: "free some room in the directory for temporary files", Err: err}
	}
	defer os.RemoveAll(dir)
	if err := r.copyPackage(ctx, dir, filepath.Dir(file)); err != nil {
		return nil, &traceio.Error{File: dir, Msg: fmt.Sprintf("the copy of the source was not written: %v", err),
			Hint: "free some room in the directory for temporary files", Err: err}
	}
	out, err := gossa.Record(ctx, gossa.Options{Dir: dir, Package: ".", Func: inPackage(function)})
	if err == nil {
		relocate(out, dir, filepath.Dir(file))
	}
	return out, err
}

// relocate gives source files the names that they have in the recording, in place of those of the copy that was
// compiled; Text keeps what the compiler said.
func relocate(r *gossa.Recorded, copied, from string) {
	moved := func(file string) string {
		if rest, ok := strings.CutPrefix(file, copied+string(filepath.Separator)); ok {
			return filepath.Join(from, rest)
		}
		return file
	}
	for _, g := range r.Groups {
		for i := range g.Listing {
			g.Listing[i].File = moved(g.Listing[i].File)
		}
		for _, s := range g.Snapshots {
			for i := range s.Nodes {
				for k, p := range s.Nodes[i].Properties {
					if p.Key == irgraph.KeyFile {
						s.Nodes[i].Properties[k].Value = moved(p.Value)
					}
				}
			}
		}
		relocateMethod(g.Method, moved)
	}
}

func relocateMethod(m *irgraph.Method, moved func(string) string) {
	if m == nil {
		return
	}
	if m.Source != nil {
		m.Source.File = moved(m.Source.File)
	}
	for _, in := range m.Inlined {
		relocateMethod(in, moved)
	}
}

// copyPackage writes the sources that the recording has of one directory, as a module in the language of the compiler
// that is there.
func (r *Recording) copyPackage(ctx context.Context, to, from string) error {
	for _, s := range r.Program().Sources {
		if filepath.Dir(s.Path) != from || !strings.HasSuffix(s.Path, ".go") {
			continue
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(s.Path)), []byte(s.Text), 0o600); err != nil {
			return err
		}
	}
	begin := exec.CommandContext(ctx, "go", "mod", "init", "recorded")
	begin.Dir = to
	// without a compiler, gossa says what to do
	if out, err := begin.CombinedOutput(); err != nil && !errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// inPackage is a function's name without the path of its package: "(*List).Sum" of "example.com/list.(*List).Sum".
func inPackage(function string) string {
	name := function[strings.LastIndexByte(function, '/')+1:]
	if _, rest, ok := strings.Cut(name, "."); ok {
		return rest
	}
	return name
}
