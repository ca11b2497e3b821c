package hooks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompilers(t *testing.T) {
	dir := t.TempDir()
	for _, link := range []string{"cc", "llvm-cc"} {
		target := map[string]string{"cc": "gcc", "llvm-cc": "clang"}[link]
		path, err := exec.LookPath(target)
		if err != nil {
			t.Fatalf("the test needs %s: sudo apt install gcc clang", target)
		}
		if err := os.Symlink(path, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		name string
		want family
		ok   bool
	}{
		{"gcc", gcc, true}, {"x86_64-linux-gnu-g++-12", gcc, true}, {"clang++-14", clang, true},
		{filepath.Join(dir, "cc"), gcc, true},
		{filepath.Join(dir, "llvm-cc"), clang, true}, {"tcc", 0, false}, {"ls", 0, false},
	} {
		if got, err := familyOf(row.name, row.name); got != row.want || (err == nil) != row.ok {
			t.Errorf("%s: %v, %v", row.name, got, err)
		}
	}
	for _, row := range []struct{ args, want string }{
		{"", "no compiler is named"}, {"nowhere-gcc -c x.c", "nowhere-gcc could not be found"},
		{"ls -l", "neither gcc nor clang"},
	} {
		if _, err := Command(context.Background(), Options{}, "orrery", strings.Fields(row.args)); err == nil ||
			!strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v, want %q", row.args, err, row.want)
		}
	}
}

func TestWordsOf(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string
	}{
		{"", nil}, {" a\tb\n c ", []string{"a", "b", "c"}}, {`"a b" 'c d'e`, []string{"a b", "c de"}},
		{`a\ b \"`, []string{"a b", `"`}},
		{`'' ""x`, []string{"", "x"}}, {`-DX="a \" b"`, []string{`-DX=a " b`}},
	} {
		if got := wordsOf(row.text); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", row.want) {
			t.Errorf("%s: got %q, want %q", row.text, got, row.want)
		}
	}
}
