package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// SharedBlock is a cache block that cores took from each other, in the words of the program.
type SharedBlock struct {
	simulator.SharedLine
	Region  string // the variable or other region that most threads use in it
	Threads []SharedThread
	Lines   []SharedSource // the most invalidations and misses first
}

// SharedThread is what one thread does in a block.
type SharedThread struct {
	simulator.SharedUse
	Parts []string // the elements and fields that it touches, in order of address
}

// SharedSource is a source line that took the block from other cores, or found it taken.
type SharedSource struct {
	Name          string
	Threads       []traceio.Thread // ascending
	Invalidations uint64
	Misses        uint64
}

// Names says what lies at an address when a data reference is made: a region and the name of the byte, as region.Map.At
// does.
type Names func(a traceio.Addr, s traceio.Seq) (region, element string)

// Shared simulates the recording on the cores of a hierarchy and names the blocks that move between them; see
// simulator.FindSharing for turn and for the order. It reports data references.
func Shared(ctx context.Context, rec simulator.Recording, c cachesim.Config, turn int, names Names, lines *Lines,
	report func(done, total int64)) ([]SharedBlock, *simulator.Sharing, error) {
	found, err := simulator.FindSharing(ctx, rec, c, turn, report)
	if err != nil {
		return nil, nil, err
	}
	out := make([]SharedBlock, len(found.Lines))
	for i, l := range found.Lines {
		out[i] = SharedBlock{SharedLine: l, Lines: sources(l, lines)}
		users := map[string]int{}
		for _, u := range l.Users {
			regions, parts := touched(l, u, found.Grain, names)
			for _, r := range regions {
				users[r]++
			}
			out[i].Threads = append(out[i].Threads, SharedThread{u, parts})
		}
		for name, n := range users {
			if best := users[out[i].Region]; n > best || n == best && name < out[i].Region {
				out[i].Region = name
			}
		}
	}
	return out, found, nil
}

// touched names what a thread touches in a block. A byte inside of an element that is named already adds nothing.
func touched(l simulator.SharedLine, u simulator.SharedUse, grain cachesim.Size,
	names Names) (regions, parts []string) {
	for i := range 64 {
		if (u.Read|u.Written)>>i&1 == 0 {
			continue
		}
		region, part := names(l.Addr+traceio.Addr(i)*traceio.Addr(grain), l.Seq)
		if !slices.Contains(regions, region) {
			regions = append(regions, region)
		}
		if n := len(parts); n == 0 || part != parts[n-1] && !strings.HasPrefix(part, parts[n-1]+"+") {
			parts = append(parts, part)
		}
	}
	return regions, parts
}

// sources adds up the instructions of a block by source line.
func sources(l simulator.SharedLine, lines *Lines) []SharedSource {
	var out []SharedSource
	at := map[string]int{}
	for _, c := range l.Code {
		name := Other
		if id := lines.Of(c.PC); id != Unknown {
			name = lines.At(id).Name()
		}
		i, known := at[name]
		if !known {
			i = len(out)
			at[name] = i
			out = append(out, SharedSource{Name: name})
		}
		s := &out[i]
		s.Invalidations, s.Misses = s.Invalidations+c.Invalidations, s.Misses+c.Misses
		if where, there := slices.BinarySearch(s.Threads, c.Thread); !there {
			s.Threads = slices.Insert(s.Threads, where, c.Thread)
		}
	}
	slices.SortStableFunc(out, func(a, b SharedSource) int {
		return cmp.Or(cmp.Compare(b.Invalidations+b.Misses, a.Invalidations+a.Misses), cmp.Compare(a.Name, b.Name))
	})
	return out
}
