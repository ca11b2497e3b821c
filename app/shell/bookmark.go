package shell

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"orrery/app/shell/saved"
)

// keptBookmarks is the name under which the bookmarks of a file are kept between runs, for when it is opened without a
// session.
const keptBookmarks = "bookmarks"

// addBookmark asks for a name for where the document in front is.
func (w *window) addBookmark() {
	d := w.front()
	place := saved.PlaceOf(d.doc.Link().State())
	w.askLine(line{title: "Keep this place", field: "name", text: placeName(place), verb: "Keep", width: 520,
		said: "The moment, the window of time and the selection. Edit lists the bookmarks, and search finds them."},
		func(name string) {
			w.bookmark(d, saved.Bookmark{Name: name, Place: place})
		})
}

// placeName proposes a name: the moment, and what is selected.
func placeName(p saved.Place) string {
	name := "t " + grouped(uint64(p.Cursor))
	switch t := p.Selected; {
	case t == nil:
	case t.File != "":
		name += fmt.Sprintf(" · %s:%d", filepath.Base(t.File), t.Line)
	case t.Name != "":
		name += " · " + t.Name
	default:
		name += " · " + t.What
	}
	return name
}

// bookmark keeps a place, in place of one with the same name.
func (w *window) bookmark(d *opened, b saved.Bookmark) {
	if i := slices.IndexFunc(d.bookmarks, func(o saved.Bookmark) bool { return o.Name == b.Name }); i >= 0 {
		d.bookmarks[i] = b
	} else {
		d.bookmarks = append(d.bookmarks, b)
	}
	w.log.write("bookmark", "name", b.Name)
	w.rememberBookmarks(d)
}

// unmark forgets a bookmark.
func (w *window) unmark(d *opened, name string) {
	d.bookmarks = slices.DeleteFunc(d.bookmarks, func(b saved.Bookmark) bool { return b.Name == name })
	w.rememberBookmarks(d)
}

func (w *window) rememberBookmarks(d *opened) {
	var list []string
	for _, b := range d.bookmarks {
		if data, err := json.Marshal(b); err == nil {
			list = append(list, string(data))
		}
	}
	_, remember := keptOf(w.app.Preferences(), d.path)
	remember(keptBookmarks, list)
	w.touch()
}

// recallBookmarks takes up those that were made in earlier runs.
func (w *window) recallBookmarks(d *opened) {
	recall, _ := keptOf(w.app.Preferences(), d.path)
	for _, text := range recall(keptBookmarks) {
		var b saved.Bookmark
		if json.Unmarshal([]byte(text), &b) == nil && b.Name != "" {
			d.bookmarks = append(d.bookmarks, b)
		}
	}
}

// marks are the bookmarks of the document in front as lines of a list, those whose name has the letters of text.
func (w *window) marks(text string) []choice {
	d := w.front()
	if d == nil {
		return nil
	}
	var list []choice
	for _, b := range d.bookmarks {
		if _, ok := fuzzy(text, b.Name); ok {
			list = append(list, choice{label: b.Name, detail: "bookmark", run: func() {
				b.Place.Go(d.doc.Link(), d.doc.Len())
				w.log.write("went", "name", b.Name)
			}})
		}
	}
	return list
}

// unmarkMenu lists the bookmarks to forget one.
func (w *window) unmarkMenu() {
	d := w.front()
	var list []choice
	for _, b := range d.bookmarks {
		list = append(list, choice{label: "Forget " + b.Name, run: func() { w.unmark(d, b.Name) }})
	}
	w.menu.drop("bookmarks", list, w.head.words[slices.Index(menus, "Edit")])
}
