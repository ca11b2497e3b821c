// Package layout draws a directed graph in layers, after K. Sugiyama, S. Tagawa and M. Toda ("Methods for visual
// understanding of hierarchical system structures", 1981) and E. Gansner, E. Koutsofios, S. North and K.-P. Vo ("A
// technique for drawing directed graphs", 1993, the paper behind Graphviz's dot). Nodes with sizes and edges with the
// slots they join go in; rectangles and polylines come out, with y growing downwards. The same graph always gives the
// same picture.
//
// One graph on its way through the phases:
//
//	edges a->b, a->c, b->d, c->d, d->a, a->d
//
//	1 cycles             2 layers     3 proper hierarchy     4-6 drawing
//
//	d->a leads back      0    a       0              o          .---.
//	and is reversed:     1   b c      1    a         o          a   |
//	no cycle is left     2    d       2   b c  o     o         /|\  |
//	                                  3    d         o        b | c |
//	                                  4              o         \|/  |
//	                                                            d   |
//	                                                            '---'
//
// The phases:
//
//  1. cycles.go reverses the edges that a depth-first search finds to lead back; they are drawn upwards.
//  2. Layers are those with the shortest edges. core.go removes vertices whose layer follows from a neighbour's,
//     tighttree.go finds a good start, simplex.go the optimum, balance.go evens out the layers' sizes. For few nodes
//     stretch.go tries longer edges that cross less.
//  3. layering.go puts a dummy vertex (o) where an edge passes a layer, so that segments join neighbouring layers only;
//     halfedges.go lists them by vertex. An edge upwards goes round its nodes through two more dummies, its hooks.
//  4. The order within the layers decides what crosses; count.go counts. blockorder.go treats a whole edge's dummies as
//     one block in a single order of blocks: firstorder.go starts from a graph search, barycenter.go moves blocks to
//     the mean of their neighbours (small and long-edged graphs: sweep.go, layer by layer), siftblocks.go sifts them to
//     where they cross least, with passcost.go and, within a layer, layerbuffer.go; perturb.go leaves local optima.
//     Then sift.go and uncross.go improve single layers and pairs of edges.
//  5. coordinates.go aligns vertices with the medians of their neighbours (U. Brandes and B. Köpf, 2001), so that long
//     edges are straight.
//  6. route.go turns chains of dummies into polylines, and edges that are too long into two stubs.
//
// Components that no edge joins (part.go) are drawn by themselves and packed side by side (pack.go). Nodes in basic
// blocks are drawn block by block (basicblocks.go). scratch.go is the memory that a drawing needs on the way, and
// index.go finds what lies at a point of one.
//
// Words: nodes and edges belong to the caller's graph; vertices, arcs and segments to a part of it in layers. A slot is
// a point at a node's top or bottom where edges end. Work is counted in vertices and segments looked at, never in time,
// so that limits do not depend on the machine.
package layout
