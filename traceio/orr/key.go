package orr

import (
	"math/bits"

	"orrery/traceio"
)

// Key is an instruction with the size and kind of what it does in one word, for who fills blocks by the hundred
// million: one comparison tells whether a row is of the site that was predicted.
//
//	pc << 16 | log2 of size << 4 | kind << 1         sizes 1, 2, 4 ... 128
//	pc << 16 | size << 4 | 8 | kind << 1             all sizes below 4095
//
// The PC has 48 signed bits; kind is 1 for a load, 2 for a store, 3 for a fetch and 0 for a fetch of its own PC. Bit 0
// is 0.
type Key uint64

const (
	keyNone  Key = 1                  // no row has it
	keySized Key = 8                  // the size stands as it is
	keyWide  Key = 4095<<4 | keySized // what is above is no PC but the number of a site that fits in no key
)

// Sized is the key with another size, less than 4095.
func (k Key) Sized(size uint16) Key {
	k &^= keyWide
	if size&(size-1) == 0 && size-1 < 128 {
		return k | Key(bits.Len16(size)-1)<<4
	}
	return k | Key(size)<<4 | keySized
}

// Size is the size that the key tells.
func (k Key) Size() uint16 {
	if k&keySized != 0 {
		return uint16(k >> 4 & 4095)
	}
	return 1 << (k >> 4 & 7)
}

// PC is the instruction's address.
func (k Key) PC() traceio.Addr { return traceio.Addr(int64(k) >> 16) }

// Kind is what the instruction does.
func (k Key) Kind() traceio.Kind { return min(traceio.Kind(k.code()), traceio.Fetch) }

// code is the kind as a site has it.
func (k Key) code() uint32 { return uint32(k>>1-1) & 3 }

// data tells whether the key is of a load or store.
func (k Key) data() bool { return (k>>1^k>>2)&1 != 0 }

// Row is a load or store in two words.
type Row struct {
	Where uint64 // its address, of 48 signed bits, above the thread's number
	Key   Key
}

// Thread is the number of the thread.
func (r *Row) Thread() traceio.Thread { return traceio.Thread(r.Where) }

// Addr is the address.
func (r *Row) Addr() traceio.Addr { return traceio.Addr(int64(r.Where) >> rowShift) }

// rowShift is by how many bits a Row's address is above.
const rowShift = 16

// wide are the sites of a block that fit in no key: PCs beyond what processors have, and huge sizes.
type wide struct {
	keys  map[site]Key
	sites []site
}

func (w *wide) reset() {
	clear(w.keys)
	w.sites = w.sites[:0]
}

func (w *wide) key(s site) Key {
	k, ok := w.keys[s]
	if !ok {
		if w.keys == nil {
			w.keys = map[site]Key{}
		}
		k = Key(len(w.sites))<<16 | keyWide | Key(s.code+1)&3<<1
		w.sites = append(w.sites, s)
		w.keys[s] = k
	}
	return k
}

// site is what a key stands for.
func (w *wide) site(k Key) site {
	if i := uint64(k >> 16); k&keyWide == keyWide && i < uint64(len(w.sites)) {
		return w.sites[i]
	}
	return site{uint64(k.PC()), uint32(k.Size())<<2 | k.code()}
}

// append appends rows [from, to) of b to dst, with their whole addresses, and tells whether it knows all their kinds.
func (w *wide) append(dst []Row, b *traceio.Block, from, to int) ([]Row, bool) {
	pcs, addrs := b.PC[from:to], b.Addr[from:to]
	sizes, kinds := b.Size[from:to], b.Kind[from:to]
	all := true
	for i, pc := range pcs {
		kind, size := kinds[i], sizes[i]
		k := Key(kind+1) & 3 << 1
		if kind >= traceio.Fetch {
			all = all && kind == traceio.Fetch
			if addrs[i] == pc {
				k = 0
			}
		}
		if int64(pc)<<16>>16 == int64(pc) && size < 4095 {
			k |= Key(pc)<<16 | Key(size)<<4 | keySized
		} else {
			k = w.key(site{uint64(pc), uint32(size)<<2 | k.code()})
		}
		dst = append(dst, Row{uint64(addrs[i]), k})
	}
	return dst, all
}
