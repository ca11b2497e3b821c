package orr

import (
	"math/bits"

	"orrery/traceio"
)

// SiteKey is an instruction with the size and kind of its reference in one word, so that one comparison finds whether a
// reference is of the predicted site. A Row is a reference in two words. The recorded program writes both into the ring
// that the recorder reads, and they are encoded from there without a copy: assets/recorder/ring.h has the same
// constants under the names in the right column, and a test of traceio/record compares them.
//
//	Row.Place  63                          16 15            0
//	          | address, 48 signed bits      | thread       |      RING_ADDRESS_SHIFT
//
//	SiteKey    63                          16 15       8 7 6  4 3 2 1 0
//	          | PC, 48 signed bits           | 0        |p|log2|0|kind|t|     RING_PC_SHIFT, RING_SIZE_SHIFT
//	          | PC, 48 signed bits           | size, 12 bits   |1|kind|t|     sizes that are no power of two up to 128
//
//	kind  1 load, 2 store, 3 fetch, 0 fetch of the instruction's own PC       RING_KIND_SHIFT
//	p     in the ring alone: a later piece of a wide reference                RING_LATER
//	t     the caller's: in the ring the phase bit; the keys of a block have 0 here
type SiteKey uint64

// The bits of a SiteKey and a Row.
const (
	AddressShift = 16
	PCShift      = 16
	SizeShift    = 4
	KindShift    = 1

	KeyTag   SiteKey = 1      // t
	KeyLater SiteKey = 1 << 7 // p

	KeyKind  SiteKey = 3 << KindShift // which of them are the kind
	KeyLoad  SiteKey = 1 << KindShift
	KeyStore SiteKey = 2 << KindShift

	keySized SiteKey = 1 << 3                     // the size stands as it is
	keyWide  SiteKey = 4095<<SizeShift | keySized // the PC's bits are an index into wideSites
	keyNone  SiteKey = KeyTag                     // the key of no site
)

// Sized is the key with another size, less than 4095.
func (k SiteKey) Sized(size uint16) SiteKey {
	k &^= keyWide
	if size&(size-1) == 0 && size-1 < 128 {
		return k | SiteKey(bits.Len16(size)-1)<<SizeShift
	}
	return k | SiteKey(size)<<SizeShift | keySized
}

// Size is the size of the reference in bytes.
func (k SiteKey) Size() uint16 {
	if k&keySized != 0 {
		return uint16(k >> SizeShift & 4095)
	}
	return 1 << (k >> SizeShift & 7)
}

// PC is the instruction's address.
func (k SiteKey) PC() traceio.Addr { return traceio.Addr(int64(k) >> PCShift) }

// Kind is what the instruction does.
func (k SiteKey) Kind() traceio.Kind { return min(traceio.Kind(k.code()), traceio.Fetch) }

// code is the kind as a site has it.
func (k SiteKey) code() uint32 { return uint32(k>>KindShift-1) & 3 }

// data tells whether the key is of a load or store.
func (k SiteKey) data() bool { kind := k & KeyKind; return kind == KeyLoad || kind == KeyStore }

// Row is a load or store in two words.
type Row struct {
	Place uint64 // the address, of 48 signed bits, above the thread's number
	Key   SiteKey
}

// Thread is the number of the thread.
func (r *Row) Thread() traceio.Thread { return traceio.Thread(r.Place) }

// Addr is the address.
func (r *Row) Addr() traceio.Addr { return traceio.Addr(int64(r.Place) >> AddressShift) }

// wideSites are the sites of a block that fit in no key: with a PC of more than 48 bits or a size of 4095 bytes and
// more.
type wideSites struct {
	keys  map[site]SiteKey
	sites []site
}

func (w *wideSites) reset() {
	clear(w.keys)
	w.sites = w.sites[:0]
}

func (w *wideSites) key(s site) SiteKey {
	k, ok := w.keys[s]
	if !ok {
		if w.keys == nil {
			w.keys = map[site]SiteKey{}
		}
		k = SiteKey(len(w.sites))<<PCShift | keyWide | SiteKey(s.code+1)&3<<KindShift
		w.sites = append(w.sites, s)
		w.keys[s] = k
	}
	return k
}

// site is what a key stands for.
func (w *wideSites) site(k SiteKey) site {
	if i := uint64(k >> PCShift); k&keyWide == keyWide && i < uint64(len(w.sites)) {
		return w.sites[i]
	}
	return site{uint64(k.PC()), uint32(k.Size())<<2 | k.code()}
}

// append appends references [from, to) of b to dst, with their addresses unshifted, and tells whether it knows all
// their kinds.
func (w *wideSites) append(dst []Row, b *traceio.Block, from, to int) ([]Row, bool) {
	pcs, addrs := b.PC[from:to], b.Addr[from:to]
	sizes, kinds := b.Size[from:to], b.Kind[from:to]
	all := true
	for i, pc := range pcs {
		kind, size := kinds[i], sizes[i]
		k := SiteKey(kind+1) & 3 << KindShift
		if kind >= traceio.Fetch {
			all = all && kind == traceio.Fetch
			if addrs[i] == pc {
				k = 0
			}
		}
		if int64(pc)<<PCShift>>PCShift == int64(pc) && size < 4095 {
			k |= SiteKey(pc)<<PCShift | SiteKey(size)<<SizeShift | keySized
		} else {
			k = w.key(site{uint64(pc), uint32(size)<<2 | k.code()})
		}
		dst = append(dst, Row{uint64(addrs[i]), k})
	}
	return dst, all
}
