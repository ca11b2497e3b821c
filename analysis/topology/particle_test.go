package topology

import (
	"math/rand/v2"

	"orrery/traceio"
)

// memory is a recording in memory, in blocks of 4096.
type memory struct{ blocks []*traceio.Block }

func (m *memory) Len() traceio.Seq {
	b := m.blocks[len(m.blocks)-1]
	return b.First + traceio.Seq(b.Data())
}
func (m *memory) Blocks() int                         { return len(m.blocks) }
func (m *memory) Find(s traceio.Seq) int              { return int(s / 4096) }
func (m *memory) Block(i int) (*traceio.Block, error) { return m.blocks[i], nil }

func (m *memory) add(pc int, addr uint64, kind traceio.Kind) {
	if n := len(m.blocks); n == 0 || m.blocks[n-1].Len() == 4096 {
		m.blocks = append(m.blocks, &traceio.Block{First: traceio.Seq(4096 * n)})
	}
	m.blocks[len(m.blocks)-1].Append(traceio.Access{PC: traceio.Addr(0x400000 + 8*pc), Addr: traceio.Addr(addr),
		Size: 8, Kind: kind})
}

// A stage of the particle code with the references that belong to it.
type stretch struct {
	what     string
	from, to traceio.Seq
}

// particleCode makes the references of a material point method as a compiler without optimisation leaves them, and
// tells which stage they belong to: particles are laid out once, then in every step their mass and momentum go to the
// nine grid nodes around each (two calls of a shape function for each node), the nodes move, and the particles get
// their velocities back.
func particleCode(particles, size, steps int) (*memory, []stretch) {
	r := rand.New(rand.NewPCG(7, 7))
	m := &memory{}
	const parts, grid, stack = 0x1000000, 0x2000000, 0x7ff000
	at := make([][2]int, particles)
	local := func(pc, slot int) { m.add(pc, stack+8*uint64(slot), traceio.Load) }
	var stages []stretch
	begin := func(what string) {
		from := traceio.Seq(0)
		if len(stages) > 0 {
			from = m.Len()
			stages[len(stages)-1].to = from
		}
		stages = append(stages, stretch{what, from, 0})
	}
	begin("layout")
	for p := range at {
		at[p] = [2]int{1 + r.IntN(size-3), 1 + r.IntN(size-3)}
		for f := range 4 {
			local(1, 0)
			m.add(2+f, parts+64*uint64(p)+8*uint64(f), traceio.Store)
		}
	}
	transfer := func(pc, p int, kind traceio.Kind) {
		for f := range 2 {
			m.add(pc+f, parts+64*uint64(p)+8*uint64(f), traceio.Load)
			m.add(pc+2+f, stack+8*uint64(2+f), traceio.Store)
		}
		for i := range 3 {
			for j := range 3 {
				node := grid + 24*uint64((at[p][0]+i-1)*size+at[p][1]+j-1)
				for axis := range 2 { // the shape function, once for each axis
					local(pc+4, 2+axis)
					m.add(pc+5, stack-64, traceio.Store)
					local(pc+6, -8)
					m.add(pc+7, stack+8*uint64(4+axis), traceio.Store)
				}
				local(pc+8, 4)
				local(pc+9, 5)
				m.add(pc+10, parts+64*uint64(p)+16, traceio.Load)
				m.add(pc+11, node, traceio.Load)
				if kind == traceio.Store {
					m.add(pc+12, node, traceio.Store)
					m.add(pc+13, node+8, traceio.Load)
					m.add(pc+14, node+8, traceio.Store)
				}
			}
		}
		m.add(pc+15, parts+64*uint64(p)+24, traceio.Store)
	}
	for range steps {
		begin("to grid")
		for p := range at {
			transfer(20, p, traceio.Store)
		}
		begin("grid")
		for n := range size * size {
			local(50, 0)
			m.add(51, grid+24*uint64(n), traceio.Load)
			m.add(52, grid+24*uint64(n)+8, traceio.Load)
			m.add(53, grid+24*uint64(n)+8, traceio.Store)
			m.add(54, grid+24*uint64(n)+16, traceio.Store)
		}
		begin("from grid")
		for p := range at {
			transfer(60, p, traceio.Load)
			at[p][0] = max(1, min(size-2, at[p][0]+r.IntN(3)-1))
		}
	}
	stages[len(stages)-1].to = m.Len()
	return m, stages
}
