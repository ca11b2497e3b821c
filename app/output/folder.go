package output

import (
	"os"
	"path/filepath"
	"strings"
)

// Working is the folder in which the application was started, where people look for what they make; the home folder
// where it was started from nowhere, as by a desktop.
func Working() string {
	if dir, err := os.Getwd(); err == nil && dir != "/" {
		return dir
	}
	if home, err := os.UserHomeDir(); err == nil {
		return home
	}
	return os.TempDir()
}

// Folder is where to keep what is made of a file unless the user says otherwise: beside it. What ships with the
// application has no folder of the user's own: its files lie in the cache directory, or nowhere.
func Folder(path string) string {
	if !filepath.IsAbs(path) {
		if _, err := os.Stat(path); err != nil { // a name that is no file
			return Working()
		}
	}
	dir := filepath.Dir(path)
	if cache, err := os.UserCacheDir(); err == nil {
		if inside, err := filepath.Rel(cache, dir); err == nil && inside != ".." && !strings.HasPrefix(inside, "../") {
			return Working()
		}
	}
	return dir
}

// Beside is a name in Folder for what is made of a file: that of the file with another ending, "-cycles.png" for
// instance.
func Beside(path, ending string) string {
	name := filepath.Base(path)
	return filepath.Join(Folder(path), strings.TrimSuffix(name, filepath.Ext(name))+ending)
}
