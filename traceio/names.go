package traceio

import (
	"sort"
	"strconv"
	"strings"
)

// SiteAt is the site of the instruction at pc, nil when the program does not know it. Sites must be in order of PC.
func (p *Program) SiteAt(pc Addr) *Site {
	i := sort.Search(len(p.Sites), func(i int) bool { return p.Sites[i].PC >= pc })
	if i < len(p.Sites) && p.Sites[i].PC == pc {
		return &p.Sites[i]
	}
	return nil
}

// CallerAt is the site of the call that returns to ret, nil when unknown. A return address belongs to the instruction
// after the call, often to another line; so the program keeps the caller's site under ret-1, a byte of the call itself.
func (p *Program) CallerAt(ret Addr) *Site {
	if ret == 0 {
		return nil
	}
	return p.SiteAt(ret - 1)
}

// Own is the frame to which people attribute the site: the innermost one whose file belongs to the project, so that
// std::swap inlined into bubble counts for bubble; without one, the innermost frame; without any, the zero Frame.
func (s *Site) Own() Frame {
	if s == nil || len(s.Frames) == 0 {
		return Frame{}
	}
	for _, f := range s.Frames {
		if InProject(f.File) {
			return f
		}
	}
	return s.Frames[0]
}

// outside are the beginnings of file names that belong to the system or to a distribution's build, not to a project.
var outside = []string{"/usr/", "/lib/", "/lib64/", "/build/"}

// InProject tells whether a source file, as debug information names it, belongs to the user's project rather than to
// the compiler, the C library or another library of the system. An unknown file ("") belongs to nobody.
func InProject(file string) bool {
	if file == "" || file[0] == '<' {
		return false
	}
	for _, o := range outside {
		if strings.HasPrefix(file, o) {
			return false
		}
	}
	// The detached debug information of Debian's C library names its files "./malloc/./malloc/malloc.c" and
	// "./csu/../sysdeps/start.c"; a project's "./src/list.c" has no second dot.
	if rest, ok := strings.CutPrefix(file, "./"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return !strings.HasPrefix(rest, "./") && !strings.HasPrefix(rest, "../")
	}
	return true
}

// Resolved is the frame's text for people: "list.c:22", "list_push" or "".
func (f Frame) Resolved() string {
	if f.File == "" || f.Line == 0 {
		return ShortFunction(f.Function)
	}
	return f.File[strings.LastIndexByte(f.File, '/')+1:] + ":" + strconv.Itoa(f.Line)
}

// ShortFunction is a demangled name without its parameters and template arguments: "std::vector<int>::at(unsigned
// long)" becomes "std::vector::at", "bool ns::operator!=<int>(A<int> const&)" becomes "ns::operator!=". Names of C stay
// as they are.
func ShortFunction(name string) string {
	if !strings.ContainsAny(name, "(<") || strings.HasPrefix(name, "(") {
		return name
	}
	var b strings.Builder
	depth, lambda := 0, false // "{lambda(int)#2}" becomes "{lambda#2}"
	for i, r := range name {
		switch {
		case lambda && (r == '(' || r == '<'):
			depth++
		case lambda && (r == ')' || r == '>'):
			depth--
		case depth == 0 && (r == '{' || r == '}'):
			lambda = r == '{'
			b.WriteRune(r)
		case depth == 0 && r == 'o' && isOperator(name, i):
			b.WriteString("operator" + operator(name[i+len("operator"):]))
			return lastQualified(b.String())
		case r == '<':
			depth++
		case r == '>':
			depth--
		case r == '(' && depth == 0 && b.Len() > 0:
			return lastWord(b.String())
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return lastWord(b.String())
}

// isOperator tells whether the word "operator" stands at i.
func isOperator(name string, i int) bool {
	const word = "operator"
	if !strings.HasPrefix(name[i:], word) || i > 0 && partOfName(name[i-1]) {
		return false
	}
	return i+len(word) < len(name) && !partOfName(name[i+len(word)])
}

func partOfName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// operator is the operator at the beginning of s: a sign, or words up to the parameters (" new", " bool", " new[]").
func operator(s string) string {
	for _, sign := range []string{"<=>", "<<=", ">>=", "->*", "<<", ">>", "->", "()", "[]", "<=", ">=", "==", "!=", "&&",
		"||", "++", "--", "+=", "-=", "*=",
		"/=", "%=", "^=", "&=", "|=", "<", ">", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", ","} {
		if strings.HasPrefix(s, sign) {
			return sign
		}
	}
	if i := strings.IndexAny(s, "(<"); i >= 0 {
		return s[:i]
	}
	return s
}

// lastQualified is lastWord for the name of an operator, which may hold blanks itself.
func lastQualified(s string) string {
	i := strings.LastIndex(s, "operator")
	return lastWord(s[:i]) + s[i:]
}

// lastWord drops the return type that demanglers put before the names of template functions: "void sort" is "sort".
func lastWord(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, ' ')+1:]
}

// Element names the byte at the given offset of a variable: "A[3][7]", "P[3].id", "name+12" where its type does not
// tell.
func (p *Program) Element(name string, typ int, offset uint64) string {
	var b strings.Builder
	b.WriteString(name)
	for range maxNesting {
		if typ <= 0 || typ >= len(p.Types) {
			break
		}
		t := &p.Types[typ]
		next := -1
		switch {
		case len(t.Dims) > 0:
			next, offset = p.index(&b, t, offset)
		case len(t.Fields) > 0:
			next, offset = p.field(&b, t, offset)
		case offset < t.Size:
			return b.String() // a scalar: any of its bytes is the variable
		}
		if next < 0 {
			break
		}
		typ = next
	}
	if offset != 0 {
		b.WriteByte('+')
		b.WriteString(strconv.FormatUint(offset, 10))
	}
	return b.String()
}

// PointerAt tells whether a pointer is at an offset of a variable of a type, as far as the type tells: of an unknown
// one nobody knows, and the answer is yes.
func (p *Program) PointerAt(typ int, offset uint64) bool {
	var b strings.Builder
	for range maxNesting {
		if typ <= 0 || typ >= len(p.Types) {
			return true
		}
		t := &p.Types[typ]
		switch {
		case len(t.Dims) > 0:
			typ, offset = p.index(&b, t, offset)
		case len(t.Fields) > 0:
			typ, offset = p.field(&b, t, offset)
		default:
			return t.Name == "pointer" && offset == 0
		}
	}
	return false
}

// maxNesting bounds the walk through types that damaged input made circular.
const maxNesting = 64

// index writes the subscripts of the element that holds offset and returns the element's type and the offset in it.
func (p *Program) index(b *strings.Builder, t *Type, offset uint64) (next int, rest uint64) {
	count := uint64(1)
	for _, d := range t.Dims {
		if d <= 0 || count > 1<<40/uint64(d) {
			return -1, offset
		}
		count *= uint64(d)
	}
	size := t.Size / count
	if size == 0 || offset/size >= count {
		return -1, offset
	}
	at := offset / size
	for _, d := range t.Dims {
		count /= uint64(d)
		b.WriteByte('[')
		b.WriteString(strconv.FormatUint(at/count, 10))
		b.WriteByte(']')
		at %= count
	}
	if t.Elem <= 0 || t.Elem >= len(p.Types) {
		return -1, 0
	}
	return t.Elem, offset % size
}

// field writes the member that holds offset and returns its type and the offset in it. A base class has no name and
// is stepped through silently. Of the members of a union the first one that reaches so far is named.
func (p *Program) field(b *strings.Builder, t *Type, offset uint64) (next int, rest uint64) {
	best, reaches := -1, false
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Offset > offset {
			continue
		}
		holds := f.Type > 0 && f.Type < len(p.Types) && offset-f.Offset < p.Types[f.Type].Size
		// An empty base class stands where the first member does: the member is what people mean.
		if best < 0 || f.Offset > t.Fields[best].Offset || f.Offset == t.Fields[best].Offset && (t.Fields[best].Name == "" ||
			holds && !reaches) {
			best, reaches = i, holds
		}
	}
	if best < 0 {
		return -1, offset
	}
	f := &t.Fields[best]
	if f.Name != "" {
		b.WriteByte('.')
		b.WriteString(f.Name)
	}
	return f.Type, offset - f.Offset
}
