package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestThingsAreMadeInOnePlace: no code but the package link says what the identity of a kind of thing is made of, so
// that none is made up and equal things are the same. Sessions are read with a kind that stands in the file.
func TestThingsAreMadeInOnePlace(t *testing.T) {
	for _, root := range []string{".", "../views"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "views/link/") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(data), "\n") {
				if _, rest, found := strings.Cut(line, "link.Thing{"); found {
					if field, _, named := strings.Cut(rest, ": "); !named || strings.ContainsAny(field, "{}.&(") ||
						strings.HasPrefix(rest, "What: what,") {
						continue
					}
					t.Errorf("%s:%d makes a thing by hand; use link.Of...: %s", path, i+1, strings.TrimSpace(line))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
