package shell

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"orrery/app/shell/saved"
)

// bookmarks are named places in documents, kept by file between runs.
type bookmarks struct{ w *window }

// keptBookmarks is the name under which the bookmarks of a file are kept between runs, for when it is opened without a
// session.
const keptBookmarks = "bookmarks"

// add asks for a name for where the document in front is.
func (k *bookmarks) add() {
	d := k.w.front()
	place := saved.PlaceOf(d.doc.Link().State())
	k.w.dialogs.line(line{title: "Keep this place", field: "name", text: placeName(place), verb: "Keep", width: 520,
		said: "The moment, the window of time and the selection. Edit lists the bookmarks, and search finds them."},
		func(name string) {
			k.keep(d, saved.Bookmark{Name: name, Place: place})
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

// keep adds a bookmark; it replaces one of the same name.
func (k *bookmarks) keep(d *opened, b saved.Bookmark) {
	if i := slices.IndexFunc(d.bookmarks, func(o saved.Bookmark) bool { return o.Name == b.Name }); i >= 0 {
		d.bookmarks[i] = b
	} else {
		d.bookmarks = append(d.bookmarks, b)
	}
	k.w.log.write("bookmark", "name", b.Name)
	k.store(d)
}

// forget deletes a bookmark.
func (k *bookmarks) forget(d *opened, name string) {
	d.bookmarks = slices.DeleteFunc(d.bookmarks, func(b saved.Bookmark) bool { return b.Name == name })
	k.store(d)
}

func (k *bookmarks) store(d *opened) {
	var list []string
	for _, b := range d.bookmarks {
		if data, err := json.Marshal(b); err == nil {
			list = append(list, string(data))
		}
	}
	_, remember := keptOf(k.w.app.Preferences(), d.path)
	remember(keptBookmarks, list)
	k.w.sessionChanged()
}

// recall reads the bookmarks of earlier runs.
func (k *bookmarks) recall(d *opened) {
	recall, _ := keptOf(k.w.app.Preferences(), d.path)
	for _, text := range recall(keptBookmarks) {
		var b saved.Bookmark
		if json.Unmarshal([]byte(text), &b) == nil && b.Name != "" {
			d.bookmarks = append(d.bookmarks, b)
		}
	}
}

// choices are the bookmarks of the document in front as lines of a list, those whose name has the letters of text.
func (k *bookmarks) choices(text string) []choice {
	d := k.w.front()
	if d == nil {
		return nil
	}
	var list []choice
	for _, b := range d.bookmarks {
		if _, ok := fuzzy(text, b.Name); ok {
			list = append(list, choice{label: b.Name, detail: "bookmark", run: func() {
				b.Place.Go(d.doc.Link(), d.doc.Len())
				k.w.log.write("went", "name", b.Name)
			}})
		}
	}
	return list
}

// forgetMenu lists the bookmarks, to delete one.
func (k *bookmarks) forgetMenu() {
	d := k.w.front()
	var list []choice
	for _, b := range d.bookmarks {
		list = append(list, choice{label: "Forget " + b.Name, run: func() { k.forget(d, b.Name) }})
	}
	k.w.menu.drop("bookmarks", list, k.w.head.words[slices.Index(menus, "Edit")])
}
