package caches

import (
	"slices"

	"orrery/cachesim"
	"orrery/cachesim/model"
)

// chain is a design, or the upper levels of one, as the key of a map.
type chain struct {
	block  cachesim.Size
	count  int
	levels [MaxLevels]Level
}

// prefix is the first n levels of a design.
func (d Design) prefix(n int) chain {
	c := chain{block: d.Block, count: n}
	copy(c.levels[:], d.Levels[:n])
	return c
}

// with is the chain with one more level.
func (c chain) with(l Level) chain {
	c.levels[c.count] = l
	c.count++
	return c
}

// inStack tells whether a level is one of those that a stack is of.
func (l Level) inStack() bool {
	return l.Policy == cachesim.LRU && l.Write == cachesim.Back && l.Prefetch == cachesim.NoPrefetch
}

// forest is what has to be simulated for some designs: trees of levels, where designs that are alike from the processor
// down to some level share everything down to there. Requests flow from the roots, which take those of the recording,
// to the leaves.
//
//	recording --> stack of 64 sets --+-- 2 ways --> stack of 512 sets --> ...
//	                                 +-- 4 ways --> srrip 256 KiB
//	kept requests of a first level --> ...
type forest struct {
	ways    []int             // of every stack
	largest cachesim.Size     // a stack has no caches that are larger
	roots   map[rootKey]*node // first levels
	kept    map[chain]*branch // first levels that need not be simulated again
	order   []*node           // all of them, in the order of planting, roots in front of what is below them
}

type rootKey struct {
	block cachesim.Size
	node  nodeKey
}

// nodeKey tells levels below one place apart; levels with one key are one node.
type nodeKey struct {
	sets  int   // of a stack, otherwise 0
	level Level // otherwise
}

// node is one simulation at one place: a stack, which is many levels at once, or a stage, which is one.
type node struct {
	above    chain
	stack    *stack       // nil: it is a stage
	stage    *model.Stage // of branches[0]
	branches []*branch    // of a stack one for each number of ways
}

// branch is one level, with what is below it.
type branch struct {
	key  chain
	out  *model.Requests // of the requests in progress; nil: nobody asks for them
	keep *model.Requests // all that was in out; nil: not wanted
	next map[nodeKey]*node
	list []*node // next, in the order of planting
}

// plant makes room for a design below what is there already.
func (f *forest) plant(d Design) error {
	var at *branch
	for i, l := range d.Levels {
		if kept, ok := f.kept[d.prefix(i+1)]; ok && i == 0 {
			at = kept
			continue
		}
		n, err := f.node(at, d, i)
		if err != nil {
			return err
		}
		for _, b := range n.branches {
			if b.key.levels[i] == l {
				at = b
			}
		}
		if i == 0 && at.keep == nil {
			for _, b := range n.branches {
				b.keep = &model.Requests{Block: d.Block}
				b.open()
			}
		}
		if i+1 < len(d.Levels) {
			at.open()
		}
	}
	return nil
}

// open makes the branch tell its requests.
func (b *branch) open() {
	if b.out == nil {
		b.out = &model.Requests{Block: b.key.block}
	}
}

// node is that of level i of a design below a branch, nil for the recording.
func (f *forest) node(below *branch, d Design, i int) (*node, error) {
	l := d.Levels[i]
	key := nodeKey{level: l}
	if l.inStack() && slices.Contains(f.ways, l.Ways) {
		key = nodeKey{sets: sets(l.Size, l.Ways, d.Block)}
	}
	if below == nil {
		if n, ok := f.roots[rootKey{d.Block, key}]; ok {
			return n, nil
		}
	} else if n, ok := below.next[key]; ok {
		return n, nil
	}
	n := &node{above: d.prefix(i)}
	if key.sets > 0 {
		ways := f.ways
		for n := len(ways); ways[n-1] > l.Ways && cachesim.Size(key.sets*ways[n-1])*d.Block > f.largest; n-- {
			ways = ways[:n-1]
		}
		n.stack = newStack(d.Block, key.sets, ways)
		for _, w := range ways {
			n.branches = append(n.branches, &branch{key: n.above.with(Level{cachesim.Size(key.sets*w) * d.Block, w, cachesim.LRU,
				cachesim.Back, cachesim.NoPrefetch}), next: map[nodeKey]*node{}})
		}
	} else {
		stage, err := model.NewStage(d.config().Levels[i], i == 0)
		if err != nil {
			return nil, err
		}
		n.stage = stage
		n.branches = []*branch{{key: d.prefix(i + 1), next: map[nodeKey]*node{}}}
	}
	f.order = append(f.order, n)
	if below == nil {
		f.roots[rootKey{d.Block, key}] = n
	} else {
		below.next[key] = n
		below.list = append(below.list, n)
	}
	return n, nil
}

// run takes some requests and gives what they cause to what is below.
func (n *node) run(in *model.Requests) {
	for i, b := range n.branches {
		if b.out != nil {
			b.out.Reset()
		}
		if n.stack != nil {
			n.stack.ways[i].out = b.out
		}
	}
	if n.stack != nil {
		n.stack.run(in)
	} else {
		n.stage.Run(in, n.branches[0].out)
	}
	for _, b := range n.branches {
		if b.keep != nil {
			b.keep.Append(b.out)
		}
		b.pass(b.out)
	}
}

// pass gives requests to what is below.
func (b *branch) pass(requests *model.Requests) {
	for _, n := range b.list {
		n.run(requests)
	}
}

// totals are those of branch i.
func (n *node) totals(i int) model.StageTotals {
	if n.stack != nil {
		return n.stack.totals(&n.stack.ways[i])
	}
	return n.stage.Totals()
}
