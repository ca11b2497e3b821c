package bgv

import (
	"errors"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
)

// endless is a document that begins with head and never ends.
func endless(head *dumper, next func(d *dumper, i int)) *graphtest.Endless {
	return &graphtest.Endless{Rest: head.Bytes(), Next: func(i int) []byte {
		d := &dumper{major: 7, known: map[string]uint16{}}
		next(d, i)
		return d.Bytes()
	}}
}

// begin is the beginning of a group, with a method or without.
func (d *dumper) begin(method func()) {
	d.WriteByte(beginGroup)
	d.none()
	d.none()
	if method == nil {
		d.none()
	} else {
		method()
	}
	d.i32(-1)
	d.u16(0)
}

// beginning is the beginning of a graph up to its properties.
func (d *dumper) beginning() {
	d.WriteByte(beginGraph)
	d.i32(1)
	d.text("g")
	d.i32(0)
	d.u16(0)
}

// TestWhatIsHeldIsCounted streams documents without end of which there is ever more of one thing, and weighs what the
// reader has.
func TestWhatIsHeldIsCounted(t *testing.T) {
	const allowed = 4 << 20
	long := strings.Repeat("long ", 100)
	for _, c := range []struct {
		name string
		head func(d *dumper)
		next func(d *dumper, i int)
	}{
		{"nodes", func(d *dumper) { d.beginning(); d.i32(1 << 30) }, func(d *dumper, i int) {
			d.i32(i)
			d.nodeClass("Start")
			d.WriteByte(0)
			d.u16(0)
			d.i32(-1)
		}},
		{"texts of nodes", func(d *dumper) { d.beginning(); d.i32(1 << 30) }, func(d *dumper, i int) {
			d.i32(i)
			d.nodeClass("Start")
			d.WriteByte(0)
			d.u16(1)
			d.string("key")
			d.WriteByte(ofInt)
			d.i32(i)
			d.i32(i - 1)
		}},
		{"edges", func(d *dumper) { d.beginning(); d.i32(1 << 30) }, func(d *dumper, i int) {
			d.i32(i)
			d.nodeClass("Loop")
			d.WriteByte(0)
			d.u16(0)
			d.u16(1000)
			for k := range 1001 {
				d.i32(k)
			}
		}},
		{"blocks", func(d *dumper) { d.beginning(); d.i32(0); d.i32(1 << 30) }, func(d *dumper, i int) {
			d.i32(i)
			d.i32(1)
			d.i32(1)
			d.i32(0)
		}},
		{"graphs", func(*dumper) {}, func(d *dumper, _ int) { d.beginning(); d.i32(0); d.i32(0) }},
		{"groups", func(*dumper) {}, func(d *dumper, _ int) { d.begin(nil); d.WriteByte(closeGroup) }},
		{"groups of a method", func(*dumper) {}, func(d *dumper, _ int) {
			d.begin(func() { d.method("C", "m", make([]byte, 50_000)...) })
			d.WriteByte(closeGroup)
		}},
		{"the pool", func(*dumper) {}, func(d *dumper, i int) {
			d.WriteByte(beginGroup)
			d.WriteByte(poolNew)
			d.u16(i)
			d.WriteByte(poolMethod)
			d.none()
			d.none()
			d.none()
			d.i32(0)
			d.text(long)
			d.none()
			d.none()
			d.i32(-1)
			d.u16(0)
			d.WriteByte(closeGroup)
		}},
	} {
		head := newDumper(7)
		head.begin(nil)
		c.head(head)
		graphtest.Held(t, c.name, endless(head, c.next), allowed, Stream)
	}
}

// TestPoolIsCountedAsItChanges sends groups without end that give one place of the pool a new object each: what the
// reader keeps stays the same.
func TestPoolIsCountedAsItChanges(t *testing.T) {
	head := newDumper(7)
	groups, kept, most := 0, 0, 0
	enough := errors.New("enough")
	_, err := Stream(endless(head, func(d *dumper, i int) {
		d.WriteByte(beginGroup)
		d.WriteByte(poolNew)
		d.u16(7)
		d.WriteByte(poolString)
		d.text(strings.Repeat(string(rune('a'+i%26)), 1000+i%26))
		d.none()
		d.none()
		d.i32(-1)
		d.u16(0)
		d.WriteByte(closeGroup)
	}), "x", irgraph.Receiver{Began: func(*irgraph.Group) {}, Ended: func(*irgraph.Group, bool) { groups++ },
		Holds: func(_, n int) error {
			kept += n
			most = max(most, kept)
			if groups == 10_000 {
				return enough
			}
			return nil
		}})
	if !errors.Is(err, enough) || most > 16<<10 || kept <= 0 {
		t.Errorf("%v: the pool of one object takes %d bytes, at most %d", err, kept, most)
	}
}
