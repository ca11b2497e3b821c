package gossa

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"orrery/traceio/irgraph"
	"orrery/traceio/named"
)

// find adds the sources of the functions of a document, and of those that were inlined into them, as far as the files
// that the listings name can be read.
func (h *heading) find(doc *irgraph.Document) {
	files := map[string][]text{}
	seen := map[[2]string]bool{}
	add := func(t *text, name string) {
		if key := [2]string{t.file, t.function}; !seen[key] {
			seen[key] = true
			named := *t
			named.function = name
			h.sources = append(h.sources, named)
		}
	}
	at := func(file string, line int) *text {
		if _, ok := files[file]; !ok {
			files[file] = functions(file)
		}
		for i := range files[file] {
			if t := &files[file][i]; t.first <= line && line <= t.last {
				return t
			}
		}
		return nil
	}
	for _, g := range doc.Groups {
		own := true // the code begins with the function's own line, or with one of a function inlined into its first
		for i := range g.Listing {
			in := &g.Listing[i]
			if t := at(in.File, in.Line); t != nil {
				switch {
				case matches(t.function, g.Name) && own:
					add(t, g.Name)
					own = false
				case !matches(t.function, g.Name):
					add(t, t.function)
				}
			}
		}
	}
}

// matches reports whether a declaration "(*List).Sum" is that of the compiler's function "(*List).Sum",
// "multiply.func1" or "Sum[go.shape.int]".
func matches(declared, name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return name == declared || strings.HasPrefix(name, declared+".") || strings.HasPrefix(name, declared+"-")
}

// mostSource bounds a source file in bytes.
const mostSource = 16 << 20

// functions gives the functions of a source file, none when it cannot be read or parsed.
func functions(file string) []text {
	source, err := named.Read(file, mostSource)
	if err != nil {
		return nil
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	lines := strings.Split(string(source), "\n")
	var out []text
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		t := text{function: declaredName(f), file: file, first: set.PositionFor(f.Pos(), false).Line,
			last: set.PositionFor(f.End(), false).Line}
		t.lines = lines[t.first-1 : min(t.last, len(lines))]
		out = append(out, t)
	}
	return out
}

// declaredName is a function's name as the compiler writes it.
func declaredName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	receiver, star := f.Recv.List[0].Type, false
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver, star = r.X, true
			continue
		case *ast.ParenExpr:
			receiver = r.X
			continue
		case *ast.IndexExpr:
			receiver = r.X
			continue
		case *ast.IndexListExpr:
			receiver = r.X
			continue
		case *ast.Ident:
			if star {
				return "(*" + r.Name + ")." + f.Name.Name
			}
			return r.Name + "." + f.Name.Name
		}
		return f.Name.Name
	}
}
