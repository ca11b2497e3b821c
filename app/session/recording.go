// Package session makes documents of recordings: it loads a file with everything that is derived from it (names, lines,
// regions, heap), runs the analyses that views and commands ask for, and builds the states of the views, for the window
// and the command line alike.
package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"orrery/analysis/attribution"
	"orrery/analysis/digest"
	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/store"
)

// Recording is an open recording with what it says about code and data. It is immutable. Where it is Sampled, Lines,
// Use and Digest are estimates.
type Recording struct {
	*store.Recording
	Lines   *attribution.Lines
	Heap    *heap.Heap
	Regions *region.Map
	Use     *region.Usage
	Digest  *digest.Digest
	rank    []int // of a region among those used, by ID

	beginning bool // of a file that is being indexed
	result    *digest.Result
	code      code
}

// Load opens a recording of any format and derives what all views and commands need. report is told the bytes read; the
// passes after that count again from 0. A file that turns out to be damaged while it is read is opened again with every
// checksum verified, so that all that is whole is used and the loss is known.
func Load(ctx context.Context, path string, report func(done, total int64)) (*Recording, error) {
	return LoadGrowing(ctx, path, nil, nil, report)
}

// LoadGrowing is Load that hands out what it has on the way. Of a long foreign file that is being indexed, and of a
// recording that is being written, those are beginnings: whenever there is more of it, wanted is asked, told whether a
// recorder is at work, and if it is, partial gets what there is so far. Of a long recording whose references have never
// been counted partial then gets the whole with figures from a sample (see Sampled), once. LoadGrowing returns when
// everything is known.
func LoadGrowing(ctx context.Context, path string, wanted func(live bool) bool, partial func(*Recording),
	report func(done, total int64)) (*Recording, error) {
	// A pipe cannot be opened again, so that everything in it is verified at once.
	info, err := os.Stat(path)
	opt, known := store.Options{Check: err == nil && !info.Mode().IsRegular()}, &naming{}
	if partial != nil {
		opt.Wanted = wanted
		opt.Partial = func(stored *store.Recording) {
			if r, err := deriveBeginning(ctx, stored, known); err == nil {
				partial(r)
			}
		}
	}
	r, err := load(ctx, path, opt, known, partial, report)
	if errors.Is(err, orr.ErrDamaged) && !opt.Check && ctx.Err() == nil {
		return load(ctx, path, store.Options{Check: true}, known, nil, report)
	}
	return r, err
}

func load(ctx context.Context, path string, opt store.Options, known *naming, sampled func(*Recording),
	report func(done, total int64)) (*Recording, error) {
	stored, err := store.Open(ctx, path, opt, report)
	if err != nil {
		return nil, err
	}
	shown := false // the receiver has it open from then on, whatever becomes of the counting
	if give := sampled; give != nil {
		sampled = func(r *Recording) {
			shown = true
			give(r)
		}
	}
	r, err := derive(ctx, stored, known, sampled, report)
	if err != nil {
		if !shown {
			stored.Close()
		}
		return nil, err
	}
	return r, nil
}

// rankRegions gives the palette's colours to data first, the most used first: variables with static storage, heaps, the
// stacks and what is large on them. A program that was not optimised uses its loop variables most; they share the
// colour of the stack.
func (r *Recording) rankRegions() {
	regions := r.Regions.Regions()
	r.rank = make([]int, len(regions))
	for i := range r.rank {
		r.rank[i] = len(r.rank)
	}
	isData := func(g region.Region) bool {
		return g.Kind == region.Global || g.Kind == region.Heap || g.Kind == region.Managed || g.Kind == region.Stack ||
			g.Kind == region.Local && !onStack(g)
	}
	next, stack := 0, -1
	take := func(id int) { r.rank[id] = next; next++ }
	for _, id := range r.Use.Ranked {
		if isData(regions[id]) {
			if regions[id].Kind == region.Stack && stack < 0 {
				stack = id
			}
			take(id)
		}
	}
	for _, id := range r.Use.Ranked {
		switch {
		case isData(regions[id]):
		case regions[id].Kind == region.Local && stack >= 0:
			r.rank[id] = r.rank[stack]
		default:
			take(id)
		}
	}
}

// StackVariables are the stack that is used most and the variables that are told together with it, the most used first;
// -1 where there is no stack.
func (r *Recording) StackVariables() (stack int, variables []int) {
	regions := r.Regions.Regions()
	stack = -1
	for _, id := range r.Use.Ranked {
		if regions[id].Kind == region.Stack && stack < 0 {
			stack = id
		}
		if onStack(regions[id]) {
			variables = append(variables, id)
		}
	}
	return stack, variables
}

// WholeStack is what a stack and the variables on it are called where they are shown as one. The region "stack" alone
// is what is used of it beside the variables.
const WholeStack = "whole stack"

// WholeStackReferences are those of the region "stack" and of its variables.
func (r *Recording) WholeStackReferences() (n uint64) {
	stack, variables := r.StackVariables()
	if stack >= 0 {
		n = r.Use.Regions[stack].References()
	}
	for _, id := range variables {
		n += r.Use.Regions[id].References()
	}
	return n
}

// Name is the file's name.
func (r *Recording) Name() string { return filepath.Base(r.Path()) }

// Text is the source text of a file as it was recorded; "" when the recording does not have it.
func (r *Recording) Text(file string) string {
	for _, s := range r.Program().Sources {
		if s.Path == file {
			return s.Text
		}
	}
	return ""
}

// LineText is one line of the source, trimmed; "" when the recording does not have it.
func (r *Recording) LineText(file string, line int) string {
	text := r.Text(file)
	for n := 1; text != ""; n++ {
		var head string
		head, text, _ = strings.Cut(text, "\n")
		if n == line {
			return strings.TrimSpace(head)
		}
	}
	return ""
}

// Code is the position of an instruction for people: "bubble.c:12"; "" when unknown.
func (r *Recording) Code(pc traceio.Addr) string {
	return r.Program().SiteAt(pc).Own().Resolved()
}

// ShortName is a line's name without its directories: "stl_vector.h:1121".
func ShortName(l attribution.Line) string {
	l.File = filepath.Base(l.File)
	return l.Name()
}
