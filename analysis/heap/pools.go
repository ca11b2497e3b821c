package heap

import "orrery/traceio"

// pools finds the ranges of addresses that are in use: the lowest and the highest address of each MiB.
type pools struct {
	mibs mibs
	list []Span
	last uint64 // MiB of the last block, plus 1,
	at   int    // and its number
}

// add takes in a block, and gives the number of the MiB where it begins.
func (p *pools) add(low, high traceio.Addr) (at int) {
	if uint64(low)>>mibBits+1 != p.last {
		p.selectMib(low)
	}
	s := &p.list[p.at]
	s.Low, s.High = min(s.Low, low), max(s.High, high)
	s.Blocks++
	return p.at
}

// selectMib makes the MiB of an address the last one.
func (p *pools) selectMib(low traceio.Addr) {
	p.last, p.at = uint64(low)>>mibBits+1, p.mibs.number(low)
	if p.at == len(p.list) {
		p.list = append(p.list, Span{Low: low, High: low})
	}
}

// spans joins what is not more than MaxGap apart.
func (p *pools) spans() []Span { return join(p.list, MaxGap) }

// mibs numbers pieces of a MiB as they are asked for.
type mibs struct {
	of   words // by MiB: its number plus 1
	near [nearMibs]nearMib
}

// nearMib is the number of a MiB that was asked for lately.
type nearMib struct {
	mib uint64 // plus 1
	at  int
}

const (
	nearMibs = 256
	mibBits  = 20
)

// number is that of the MiB of an address.
func (m *mibs) number(a traceio.Addr) int {
	mib := uint64(a) >> mibBits
	near := &m.near[mib%nearMibs]
	if near.mib != mib+1 {
		w := m.of.make(mib)
		if *w == 0 {
			*w = uint64(m.of.n)
		}
		*near = nearMib{mib + 1, int(*w - 1)}
	}
	return near.at
}
