package store

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"orrery/traceio"
)

// packedLog keeps allocator events in order, in some ten bytes each instead of the 56 of an Alloc: packs of 1024 hold
// them column by column, each number as its difference from the least of the pack, in as many bytes as the greatest
// difference needs, none where all are equal (frame of reference). So any event is read without unpacking others. A
// pack never changes: a prefix of a log that still grows can be used meanwhile.
type packedLog struct {
	n        int // events
	frees    int // of these
	packs    []eventPack
	tail     []traceio.Alloc // behind the last pack, fewer than perPack
	numbered bool            // an event's Seq is its number, whatever it came with
}

const perPack = 1 << 10

// The columns of a pack: the fields of an Alloc. A new field is a column here, and a line in spread, join and read.
const (
	colSeq = iota
	colTicks
	colAddr
	colSize
	colUsable
	colStack
	colThread
	colOp
	colLatency
	fields
)

// eventPack is perPack events.
type eventPack struct {
	least  [fields]uint64
	places [fields]uint16 // where a column begins in data
	widths [fields]uint8  // bytes: 0, 1, 2, 4 or 8
	data   []byte
}

// spread is an event as the numbers of its columns.
func spread(a *traceio.Alloc) [fields]uint64 {
	return [fields]uint64{
		colSeq: uint64(a.Seq), colTicks: uint64(a.Ticks), colAddr: uint64(a.Addr), colSize: a.Size, colUsable: a.Usable,
		colStack: uint64(a.Stack), colThread: uint64(a.Thread), colOp: uint64(a.Op), colLatency: uint64(a.Latency),
	}
}

// join is the event of some numbers.
func join(v *[fields]uint64) traceio.Alloc {
	return traceio.Alloc{
		Seq: traceio.Seq(v[colSeq]), Ticks: traceio.Ticks(v[colTicks]), Addr: traceio.Addr(v[colAddr]),
		Size: v[colSize], Usable: v[colUsable], Stack: traceio.StackID(v[colStack]),
		Thread: traceio.Thread(v[colThread]), Op: traceio.AllocOp(v[colOp]), Latency: traceio.Ticks(v[colLatency]),
	}
}

// append takes in the next events.
func (l *packedLog) append(events []traceio.Alloc) {
	for i := range events {
		l.frees += int(events[i].Op & traceio.Free)
	}
	l.n += len(events)
	for len(l.tail)+len(events) >= perPack {
		if len(l.tail) == 0 {
			l.packs = append(l.packs, packEvents(events[:perPack]))
			events = events[perPack:]
			continue
		}
		k := perPack - len(l.tail)
		l.tail = append(l.tail, events[:k]...)
		events = events[k:]
		l.packs = append(l.packs, packEvents(l.tail))
		l.tail = l.tail[:0]
	}
	l.tail = append(l.tail, events...)
}

// prefix is the first n events, which stay as they are however the log grows.
func (l *packedLog) prefix(n int) packedLog {
	p := *l
	for p.n > n {
		p.n--
		p.frees -= int(l.at(p.n).Op & traceio.Free)
	}
	k := min(len(l.packs), (n+perPack-1)/perPack)
	p.packs = l.packs[:k:k]
	p.tail = append([]traceio.Alloc(nil), l.tail...)
	return p
}

// at is event i.
func (l *packedLog) at(i int) traceio.Alloc {
	var a traceio.Alloc
	if k := i / perPack; k < len(l.packs) {
		p := &l.packs[k]
		v := p.least
		for f, width := range p.widths {
			v[f] += number(p.data[p.places[f]:], i%perPack, width)
		}
		a = join(&v)
	} else {
		a = l.tail[i%perPack]
	}
	if l.numbered {
		a.Seq = traceio.Seq(i)
	}
	return a
}

// read appends the events [from, to) to dst.
func (l *packedLog) read(dst []traceio.Alloc, from, to int) []traceio.Alloc {
	for from < to {
		next, first := min(to, (from/perPack+1)*perPack), len(dst)
		if k := from / perPack; k < len(l.packs) {
			dst = l.packs[k].read(dst, from%perPack, from%perPack+next-from)
		} else {
			dst = append(dst, l.tail[from%perPack:from%perPack+next-from]...)
		}
		if l.numbered {
			for i := range dst[first:] {
				dst[first+i].Seq = traceio.Seq(from + i)
			}
		}
		from = next
	}
	return dst
}

// each gives all events to f, piece by piece, until it fails. A piece is good until f returns.
func (l *packedLog) each(f func([]traceio.Alloc) error) error {
	var piece []traceio.Alloc
	for from := 0; from < l.n; from += 4 * perPack {
		piece = l.read(piece[:0], from, min(from+4*perPack, l.n))
		if err := f(piece); err != nil {
			return err
		}
	}
	return nil
}

// threads is one more than the highest number of a thread.
func (l *packedLog) threads() (n int) {
	for k := range min(len(l.packs), (l.n+perPack-1)/perPack) {
		p := &l.packs[k]
		n = max(n, int(p.least[colThread])+1)
		for i := 0; p.widths[colThread] > 0 && i < min(perPack, l.n-k*perPack); i++ {
			n = max(n, int(p.least[colThread]+number(p.data[p.places[colThread]:], i, p.widths[colThread]))+1)
		}
	}
	for i := range l.tail {
		if len(l.packs)*perPack+i < l.n {
			n = max(n, int(l.tail[i].Thread)+1)
		}
	}
	return n
}

// number is the i-th of those that have so many bytes each.
func number(data []byte, i int, width uint8) uint64 {
	switch width {
	case 1:
		return uint64(data[i])
	case 2:
		return uint64(binary.LittleEndian.Uint16(data[2*i:]))
	case 4:
		return uint64(binary.LittleEndian.Uint32(data[4*i:]))
	case 8:
		return binary.LittleEndian.Uint64(data[8*i:])
	}
	return 0
}

// packEvents packs perPack events.
func packEvents(events []traceio.Alloc) (p eventPack) {
	var columns [fields][perPack]uint64
	p.least = spread(&events[0])
	most, size := p.least, 0
	for i := range events {
		for f, v := range spread(&events[i]) {
			columns[f][i] = v
			p.least[f], most[f] = min(p.least[f], v), max(most[f], v)
		}
	}
	for f := range p.least {
		p.places[f], p.widths[f] = uint16(size), widthOf(most[f]-p.least[f])
		size += perPack * int(p.widths[f])
	}
	p.data = make([]byte, size)
	for f := range columns {
		p.put(f, &columns[f])
	}
	return p
}

// widthOf is how many bytes a number takes.
func widthOf(x uint64) uint8 {
	if x == 0 {
		return 0
	}
	return 1 << bits.Len8(uint8((bits.Len64(x)-1)/8))
}

// put writes a column; one of width 0 has nothing to be written.
func (p *eventPack) put(f int, column *[perPack]uint64) {
	data, least := p.data[p.places[f]:], p.least[f]
	switch p.widths[f] {
	case 1:
		for i, v := range column {
			data[i] = uint8(v - least)
		}
	case 2:
		for i, v := range column {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(v-least))
		}
	case 4:
		for i, v := range column {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(v-least))
		}
	case 8:
		for i, v := range column {
			binary.LittleEndian.PutUint64(data[8*i:], v-least)
		}
	}
}

// read appends the events [from, to) of a pack to dst.
func (p *eventPack) read(dst []traceio.Alloc, from, to int) []traceio.Alloc {
	first := len(dst)
	dst = slices.Grow(dst, to-from)[:first+to-from]
	events, least := dst[first:], join(&p.least)
	for i := range events {
		events[i] = least
	}
	var column [perPack]uint64
	for f, width := range p.widths {
		if width == 0 {
			continue
		}
		values := column[:len(events)]
		numbers(values, p.data[p.places[f]:], from, width)
		switch f {
		case colSeq:
			for i, v := range values {
				events[i].Seq += traceio.Seq(v)
			}
		case colTicks:
			for i, v := range values {
				events[i].Ticks += traceio.Ticks(v)
			}
		case colAddr:
			for i, v := range values {
				events[i].Addr += traceio.Addr(v)
			}
		case colSize:
			for i, v := range values {
				events[i].Size += v
			}
		case colUsable:
			for i, v := range values {
				events[i].Usable += v
			}
		case colStack:
			for i, v := range values {
				events[i].Stack += traceio.StackID(v)
			}
		case colThread:
			for i, v := range values {
				events[i].Thread += traceio.Thread(v)
			}
		case colOp:
			for i, v := range values {
				events[i].Op += traceio.AllocOp(v)
			}
		case colLatency:
			for i, v := range values {
				events[i].Latency += traceio.Ticks(v)
			}
		}
	}
	return dst
}

// numbers is number for those from the i-th on.
func numbers(dst []uint64, data []byte, i int, width uint8) {
	data = data[i*int(width):][:len(dst)*int(width)]
	switch width {
	case 1:
		for k := range dst {
			dst[k] = uint64(data[k])
		}
	case 2:
		for k := range dst {
			dst[k] = uint64(binary.LittleEndian.Uint16(data[2*k:]))
		}
	case 4:
		for k := range dst {
			dst[k] = uint64(binary.LittleEndian.Uint32(data[4*k:]))
		}
	case 8:
		for k := range dst {
			dst[k] = binary.LittleEndian.Uint64(data[8*k:])
		}
	}
}
