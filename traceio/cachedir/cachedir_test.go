package cachedir

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDir: the directory is the user's cache where that is his alone, else one of his own among the temporary files,
// and no other's ever.
func TestDir(t *testing.T) {
	own := fmt.Sprintf("orrery-%d", os.Geteuid())
	for _, row := range []struct {
		name    string
		home    bool
		prepare string // shell commands, with $CACHE and $TMP
		want    string // below the test's directory, "": an error
	}{
		{"as usual", true, "", "cache/orrery/lib-1"},
		{"there already", true, "mkdir -p $CACHE/orrery/lib-1", "cache/orrery/lib-1"},
		{"a link of the user's", true, "mkdir -p $CACHE $TMP/far; chmod 700 $TMP/far; ln -s $TMP/far $CACHE/orrery",
			"cache/orrery/lib-1"},
		{"others may write to it", true, "mkdir -p $CACHE/orrery; chmod 777 $CACHE/orrery", "tmp/" + own + "/lib-1"},
		{"others may write into it", true, "mkdir -p $CACHE/orrery/lib-1; chmod 770 $CACHE/orrery/lib-1",
			"tmp/" + own + "/lib-1"},
		{"another's", true, "mkdir -p $CACHE/orrery; chown 65534 $CACHE/orrery", "tmp/" + own + "/lib-1"},
		{"not a directory", true, "touch $CACHE", "tmp/" + own + "/lib-1"},
		{"no home", false, "", "tmp/" + own + "/lib-1"},
		{"no home, made first", false, "mkdir $TMP/OWN; chown 65534 $TMP/OWN", ""},
		{"no home, open to others", false, "mkdir $TMP/OWN; chmod 755 $TMP/OWN", ""},
		{"no home, a link", false, "mkdir -m 700 $TMP/far; ln -s far $TMP/OWN", ""},
		{"no home, a link inside", false, "mkdir -m 700 $TMP/OWN $TMP/far; ln -s ../far $TMP/OWN/lib-1", ""},
		{"no home, a file", false, "touch $TMP/OWN", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if strings.Contains(row.prepare, "chown") && os.Geteuid() != 0 {
				t.Skip("only root can give something to another user")
			}
			dir := t.TempDir()
			cache, tmp := filepath.Join(dir, "cache"), filepath.Join(dir, "tmp")
			t.Setenv("TMPDIR", tmp)
			t.Setenv("HOME", "")
			t.Setenv("XDG_CACHE_HOME", "")
			if row.home {
				t.Setenv("XDG_CACHE_HOME", cache)
			}
			shell(t, "mkdir -p "+tmp+"; "+strings.NewReplacer("$CACHE", cache, "$TMP", tmp, "OWN", own).Replace(row.prepare))
			got, err := Dir("lib-1", Need{})
			if row.want == "" {
				if err == nil || !strings.Contains(err.Error(), "set XDG_CACHE_HOME") {
					t.Errorf("%s, %v; want a refusal", got, err)
				}
				return
			}
			if want := filepath.Join(dir, row.want); err != nil || got != want {
				t.Fatalf("%s, %v; want %s", got, err, want)
			}
			if list, err := os.ReadDir(got); err != nil || len(list) > 0 {
				t.Errorf("left behind in it: %v, %v", list, err)
			}
		})
	}
}

// TestNeed: a path with a character that cannot be used is passed over, and what has all that is needed is not written
// to.
func TestNeed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "a cache"))
	if got, err := Dir("lib-1", Need{Without: ": "}); err != nil || strings.Contains(got, " ") {
		t.Errorf("%q, %v", got, err)
	}
	got, err := Dir("lib-1", Need{})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(got)
	if again, err := Dir("lib-1", Need{Whole: func(d string) bool { return d == got }}); err != nil || again != got {
		t.Errorf("%s, %v", again, err)
	}
	if after, _ := os.Stat(got); !after.ModTime().Equal(before.ModTime()) {
		t.Error("something was written into a directory that had all it needs")
	}
}

func shell(t *testing.T, commands string) {
	t.Helper()
	if out, err := exec.Command("/bin/sh", "-c", commands).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v, %s", commands, err, out)
	}
}
