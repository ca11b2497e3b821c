package shell

import "slices"

// documents are those that are open, in the order of their tabs.
type documents struct {
	docs []*opened
	at   int        // index of the document in front, -1 for the welcome page
	pair [2]*opened // two that are shown side by side; nil without
}

// indexOf is the index of the document of a path, -1 for none.
func (ds *documents) indexOf(path string) int {
	return slices.IndexFunc(ds.docs, func(d *opened) bool { return d.path == path })
}

// front is the document in front; nil while the welcome page is.
func (ds *documents) front() *opened {
	if ds.at < 0 || ds.at >= len(ds.docs) {
		return nil
	}
	return ds.docs[ds.at]
}

// shown are the documents that are seen: the one in front, or the pair that it is of, the left one first.
func (ds *documents) shown() []*opened {
	d := ds.front()
	switch {
	case d == nil:
		return nil
	case ds.pair[0] != nil && slices.Contains(ds.pair[:], d):
		return ds.pair[:]
	}
	return []*opened{d}
}

// other is the document that is seen beside one; nil without.
func (ds *documents) other(d *opened) *opened {
	for _, o := range ds.shown() {
		if o != d {
			return o
		}
	}
	return nil
}
