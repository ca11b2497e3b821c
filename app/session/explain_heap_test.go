package session

import (
	"strings"
	"testing"

	"orrery/cachesim"
	"orrery/views/heapmap"
)

// What has no references is not told of their time, and blocks that are named after a place have a title in words.
func TestHeapAloneInWords(t *testing.T) {
	r := loadLog(t, faulty)
	if !r.EventsOnly() {
		t.Fatal("the log has references")
	}
	c, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	if said := r.NoFindings(c); !strings.Contains(said, "5 % of the heap") || strings.Contains(said, c.Name) ||
		strings.Contains(said, "all references") {
		t.Errorf("of a log without references it is said that %q", said)
	}
	for i := range r.Heap.Sites {
		thing := heapmap.SiteThing(&r.Heap.Sites[i])
		if text := inWords(r, thing, nil, 0); strings.Contains(text, "heap@") ||
			!strings.HasPrefix(text, "Blocks from "+r.Heap.Sites[i].Name()+":") {
			t.Errorf("%v is explained as %q", thing, text)
		}
	}
}
