package region

import (
	"sort"

	"orrery/traceio"
)

// calls answers which call a place on a stack belonged to at any time. It keeps the frames that were open at the
// beginning of each block of references, and follows the references from there. A frame that is open over many blocks
// is kept once, so memory is in proportion to the frames that were open at some block's beginning, not to the calls;
// deep recursions that come and go inside a block cost nothing. It is immutable.
type calls struct {
	rec    Recording
	code   *code
	own    []reach // by thread
	firsts []traceio.Seq
	tops   [][]int32 // by block and the walker's stacks: the innermost frame's node, -1 for none
	nodes  []node
}

// node is a frame that was open at the beginning of a block.
type node struct {
	frame
	outer int32 // the node of the frame around it, -1 for none
}

// reach is the addresses of a thread's stack.
type reach struct {
	low  traceio.Addr
	size uint64
}

func (r reach) holds(a traceio.Addr) bool { return uint64(a-r.low) < r.size }

// newCalls gives nil for programs that tell of no variables on the stack, or when no stack is known.
func newCalls(rec Recording, c *code, stacks []StackRange) *calls {
	if len(c.names) == 0 || len(stacks) == 0 && !c.moving {
		return nil
	}
	f := &calls{rec: rec, code: c}
	for _, s := range stacks {
		for int(s.Thread) >= len(f.own) {
			f.own = append(f.own, reach{})
		}
		f.own[s.Thread] = reach{s.Low, uint64(s.High - s.Low)}
	}
	return f
}

// keep makes nodes of the frames that are open now and have none.
func (f *calls) keep(w *walker) []int32 {
	tops := make([]int32, len(w.stacks))
	for i := range w.stacks {
		t := &w.stacks[i]
		t.nodes = t.nodes[:t.kept]
		for ; t.kept < len(t.frames); t.kept++ {
			outer := int32(-1)
			if t.kept > 0 {
				outer = t.nodes[t.kept-1]
			}
			t.nodes = append(t.nodes, int32(len(f.nodes)))
			f.nodes = append(f.nodes, node{t.frames[t.kept], outer})
		}
		if tops[i] = -1; t.kept > 0 {
			tops[i] = t.nodes[t.kept-1]
		}
	}
	return tops
}

// restore puts the walker to the beginning of a block.
func (f *calls) restore(w *walker, block int) {
	for i := range w.stacks {
		w.stacks[i].cut(0)
	}
	for i, top := range f.tops[block] {
		w.of(traceio.Thread(i / w.perThread))
		t := &w.stacks[i]
		n := 0
		for id := top; id >= 0; id = f.nodes[id].outer {
			n++
		}
		t.frames = append(t.frames[:0], make([]frame, n)...)
		for id := top; id >= 0; id = f.nodes[id].outer {
			n--
			t.frames[n] = f.nodes[id].frame
		}
	}
}

// block is the number of the block that holds reference s.
func (f *calls) block(s traceio.Seq) int {
	return sort.Search(len(f.firsts), func(i int) bool { return f.firsts[i] > s }) - 1
}

// position is a place in a block on the way through it.
type position struct {
	b    *traceio.Block
	row  int
	mark int
	s    traceio.Seq // of the data reference at or after row

	thread traceio.Thread // of the data reference before
}

// walk moves on, the walker with it, until reference last is behind, or to the block's end.
func (p *position) walk(f *calls, w *walker, last traceio.Seq) {
	b := p.b
	for ; p.row < b.Len() && p.s <= last; p.row++ {
		if b.Kind[p.row] == traceio.Fetch {
			continue
		}
		p.marks(w, p.row)
		if p.thread = b.Thread[p.row]; f.code.moving {
			w.follow(p.thread, b.PC[p.row], b.Addr[p.row], b.Size[p.row], b.Kind[p.row])
		} else if thread := int(p.thread); thread < len(f.own) && f.own[thread].holds(b.Addr[p.row]) {
			w.step(w.of(p.thread), b.PC[p.row], b.Addr[p.row], b.Size[p.row], b.Kind[p.row])
		}
		p.s++
	}
	if p.row == b.Len() && p.s <= last {
		p.marks(w, p.row)
	}
}

// marks takes in the marks up to the reference at hand, which is in a row of the block, or behind the last one.
func (p *position) marks(w *walker, row int) {
	for ; p.mark < len(p.b.Marks) && p.b.Marks[p.mark].Seq <= p.s; p.mark++ {
		m, pc := &p.b.Marks[p.mark], traceio.Addr(0)
		if row < p.b.Len() && m.Seq == p.s && m.Thread == p.b.Thread[row] {
			pc = p.b.PC[row]
		}
		w.mark(m, pc)
	}
}

// cursor is a walker that stands somewhere in the recording. It belongs to one goroutine.
type cursor struct {
	f *calls
	w *walker
	position
	block int // -1: nowhere
}

func (f *calls) cursor() *cursor { return &cursor{f: f, w: newWalker(f.code), block: -1} }

// seek goes behind reference s. It says whether that was possible.
func (c *cursor) seek(s traceio.Seq) bool {
	i := c.f.block(s)
	if i < 0 {
		return false
	}
	if c.block != i || c.s > s+1 {
		c.block = -1
		b, err := c.f.rec.Block(i)
		if err != nil {
			return false
		}
		c.f.restore(c.w, i)
		c.block, c.position = i, position{b: b, s: b.First}
	}
	c.walk(c.f, c.w, s)
	return true
}

// begin goes to the beginning of block b of the recording, for a caller that then walks itself.
func (c *cursor) begin(b *traceio.Block) bool {
	if c.block >= 0 && c.row == c.b.Len() && c.mark == len(c.b.Marks) && c.s == b.First && c.block+1 < len(c.f.firsts) &&
		c.f.firsts[c.block+1] == b.First {
		c.block++
		c.position = position{b: b, s: b.First}
		return true
	}
	i := c.f.block(b.First)
	if i < 0 || c.f.firsts[i] != b.First {
		return false
	}
	c.f.restore(c.w, i)
	c.block, c.position = i, position{b: b, s: b.First}
	return true
}
