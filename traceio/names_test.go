package traceio

import "testing"

func TestElement(t *testing.T) {
	p := &Program{Types: []Type{
		0: {},
		1: {Name: "int", Size: 4},
		2: {Size: 4 * 6, Dims: []int{2, 3}, Elem: 1},
		3: {Name: "body", Size: 48, Fields: []Field{{Name: "id", Offset: 0, Type: 1}, {Name: "grid", Offset: 8, Type: 2},
			{Name: "flag", Offset: 40, Type: 4}}},
		4: {Name: "char", Size: 1},
		5: {Size: 480, Dims: []int{10}, Elem: 3},
		6: {Name: "derived", Size: 56, Fields: []Field{{Offset: 0, Type: 3}, {Name: "more", Offset: 48, Type: 1}}},
		7: {Name: "loop", Size: 8, Fields: []Field{{Name: "l", Offset: 0, Type: 7}}},
		8: {Size: 0, Dims: []int{0}, Elem: 1},
		9: {Size: 40, Dims: []int{10}, Elem: 0},
	}}
	for _, row := range []struct {
		name   string
		typ    int
		offset uint64
		want   string
	}{
		{"x", 1, 0, "x"},
		{"x", 1, 3, "x"},
		{"x", 0, 0, "x"},
		{"x", 0, 5, "x+5"},
		{"A", 2, 0, "A[0][0]"},
		{"A", 2, 4 * 5, "A[1][2]"},
		{"A", 2, 4*3 + 1, "A[1][0]"},
		{"A", 2, 24, "A+24"},
		{"P", 5, 48 * 3, "P[3].id"},
		{"P", 5, 48*3 + 8 + 16, "P[3].grid[1][1]"},
		{"P", 5, 48*3 + 41, "P[3].flag+1"},
		{"d", 6, 8, "d.grid[0][0]"},
		{"d", 6, 48, "d.more"},
		{"e", 8, 0, "e"},
		{"u", 9, 12, "u[3]"},
		{"bad", 99, 1, "bad+1"},
	} {
		if got := p.Element(row.name, row.typ, row.offset); got != row.want {
			t.Errorf("Element(%s, type %d, %d) = %q, want %q", row.name, row.typ, row.offset, got, row.want)
		}
	}
	p.Element("l", 7, 0) // a type that contains itself ends
}

func TestOwn(t *testing.T) {
	for _, row := range []struct {
		name  string
		files []string
		want  string
	}{
		{"plain", []string{"/home/u/a.c"}, "/home/u/a.c"},
		{"library inlined", []string{"/usr/include/c++/12/bits/move.h", "/home/u/a.cpp"}, "/home/u/a.cpp"},
		{"only library", []string{"/usr/include/c++/12/bits/move.h"}, "/usr/include/c++/12/bits/move.h"},
		{"glibc", []string{"./malloc/./malloc/malloc.c", "b.c"}, "b.c"},
		{"mapped project", []string{"./src/list.c"}, "./src/list.c"},
		{"mapped project, no folder", []string{"./list.c"}, "./list.c"},
		{"nothing", nil, ""},
	} {
		var s Site
		for _, f := range row.files {
			s.Frames = append(s.Frames, Frame{File: f})
		}
		if got := s.Own().File; got != row.want {
			t.Errorf("%s: Own() is in %q, want %q", row.name, got, row.want)
		}
	}
}

func TestShortFunction(t *testing.T) {
	for name, want := range map[string]string{
		"list_push": "list_push",
		"bubble(std::vector<int, std::allocator<int> >&)":    "bubble",
		"std::vector<int>::at(unsigned long)":                "std::vector::at",
		"void std::swap<int>(int&, int&)":                    "std::swap",
		"v::operator<(int)":                                  "v::operator<",
		"v::operator<< <int>(A<int>&)":                       "v::operator<<",
		"bool ns::operator!=<int*>(A<int*> const&)":          "ns::operator!=",
		"ns::A<B<int> >::operator[](unsigned long) const":    "ns::A::operator[]",
		"ns::A::operator bool() const":                       "ns::A::operator bool",
		"operator new(unsigned long)":                        "operator new",
		"operators(int)":                                     "operators",
		"my_operator<int>(int)":                              "my_operator",
		"main::{lambda(int, A<B>)#2}::operator()(int) const": "main::{lambda#2}::operator()",
		"(anonymous namespace)::f(int)":                      "(anonymous namespace)::f(int)",
		"":                                                   "",
	} {
		if got := ShortFunction(name); got != want {
			t.Errorf("ShortFunction(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLookups(t *testing.T) {
	p := &Program{Sites: []Site{{PC: 10}, {PC: 14}, {PC: 19}}}
	if p.SiteAt(14) != &p.Sites[1] || p.SiteAt(15) != nil || p.CallerAt(20) != &p.Sites[2] || p.CallerAt(0) != nil {
		t.Error("SiteAt or CallerAt found the wrong site")
	}
}
