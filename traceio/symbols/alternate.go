package symbols

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/hex"
	"path/filepath"

	"orrery/traceio/named"
)

// The dwz tool moves what the debug information of several files has in common into a file of its own, which
// .gnu_debugaltlink names. Strings and entries of that file are meant by two forms of their own; here the offsets of
// its entries have a bit set, and so do the references from them.

// shared is the debug information that a file has in common with others.
type shared struct {
	debug   *dwarf.Data
	strings []byte // its .debug_str
}

// sharedBit marks the offset of an entry in the shared file. No debug information of this program or that is so long.
const sharedBit dwarf.Offset = 1 << 31

// readShared finds the file with the shared debug information of f, whose own path is given.
func readShared(f *elf.File, path string) *shared {
	s := f.Section(".gnu_debugaltlink")
	if s == nil || s.Size > 1<<12 {
		return nil
	}
	var link []byte
	if guard(path, func() (err error) { link, err = contents(s); return err }) != nil {
		return nil
	}
	name, id, ok := bytes.Cut(link, []byte{0})
	if !ok || len(name) == 0 || len(id) < 2 {
		return nil
	}
	want := hex.EncodeToString(id)
	places := []string{string(name), debugRoot + "/.dwz/" + filepath.Base(string(name))}
	if !filepath.IsAbs(places[0]) {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		places[0] = filepath.Join(filepath.Dir(path), places[0])
	}
	for _, p := range append(places, byBuildID(want, filepath.Dir(path))...) {
		if s := openShared(p, want); s != nil {
			return s
		}
	}
	return nil
}

// openShared reads one, nil when it is not the right file.
func openShared(path, want string) *shared {
	data, err := named.Read(path, maxObject)
	if err != nil {
		return nil
	}
	o := &object{path: path}
	s := &shared{}
	err = guard(path, func() (err error) {
		if o.file, err = named.NewELF(bytes.NewReader(data), int64(len(data))); err != nil {
			return err
		}
		if sec := o.file.Section(".debug_str"); sec != nil {
			if s.strings, err = sectionOf(data, sec); err != nil {
				return err
			}
		}
		s.debug, _, err = readDWARF(o.file, data)
		return err
	})
	if err != nil || o.buildID() != want {
		return nil
	}
	return s
}

// text is a string attribute, "" when the entry has none.
func (o *object) text(e *dwarf.Entry, attr dwarf.Attr) string {
	f := e.AttrField(attr)
	if f == nil {
		return ""
	}
	switch v := f.Val.(type) {
	case string:
		return v
	case int64:
		if f.Class == dwarf.ClassStringAlt && o.shared != nil && v >= 0 && v < int64(len(o.shared.strings)) {
			s, _, _ := bytes.Cut(o.shared.strings[v:], []byte{0})
			return string(s)
		}
	}
	return ""
}

// ref is an attribute that refers to another entry; false when the entry has none, or one that cannot be followed.
func (o *object) ref(e *dwarf.Entry, attr dwarf.Attr) (dwarf.Offset, bool) {
	f := e.AttrField(attr)
	if f == nil {
		return 0, false
	}
	switch v := f.Val.(type) {
	case dwarf.Offset:
		return v | e.Offset&sharedBit, true
	case int64:
		if f.Class == dwarf.ClassReferenceAlt && o.shared != nil && v > 0 && v < int64(sharedBit) {
			return dwarf.Offset(v) | sharedBit, true
		}
	}
	return 0, false
}

// entries reads entries one after the other, and marks those of the shared file.
type entries struct {
	*dwarf.Reader
	mark dwarf.Offset
}

func (r *entries) Next() (*dwarf.Entry, error) {
	e, err := r.Reader.Next()
	if e != nil {
		e.Offset |= r.mark
	}
	return e, err
}

// entryAt is the entry at an offset, and a reader that stands behind it; nil when there is none.
func (o *object) entryAt(off dwarf.Offset) (*dwarf.Entry, *entries) {
	d, mark := o.debug, off&sharedBit
	if mark != 0 {
		if o.shared == nil {
			return nil, nil
		}
		d = o.shared.debug
	}
	r := &entries{d.Reader(), mark}
	r.Seek(off &^ sharedBit)
	e, err := r.Next()
	if err != nil || e == nil {
		return nil, nil
	}
	return e, r
}
