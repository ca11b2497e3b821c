package caches

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"orrery/assets"
	"orrery/cachesim"
	"orrery/traceio"
)

// Source is what costs come from, for people: it is a model, and nobody's chip.
const Source = "CACTI 7 model, 32 nm"

// Cost is what one cache costs.
type Cost struct {
	Access float64 // nanoseconds
	Read   float64 // nanojoules for one access
	Write  float64
	Leak   float64 // milliwatts
	Area   float64 // square millimetres
}

const fields = 5

func (c *Cost) values() [fields]float64 {
	return [fields]float64{c.Access, c.Read, c.Write, c.Leak, c.Area}
}

func costOf(v [fields]float64) Cost { return Cost{v[0], v[1], v[2], v[3], v[4]} }

// Costs is a table of runs of CACTI. Between the runs with blocks of 64 bytes it interpolates bilinearly in the
// logarithms of size, associativity and value; other blocks, of which there are fewer runs, cost a factor more or less,
// which is interpolated in the same way and beyond its runs stays what it is at the nearest. A power law through all
// runs would miss area by a factor of up to five.
type Costs struct {
	base    grid
	factors map[cachesim.Size]grid // by block: value over the base's
}

// leastSets is the smallest number of sets for which CACTI found an organisation: of the table's runs all with fewer
// and none with more are infeasible.
const leastSets = 32

const baseBlock = cachesim.Size(64)

// DefaultCosts is the shipped table.
func DefaultCosts() *Costs {
	const name = "costs/cacti32.csv"
	data, err := assets.Costs.ReadFile(name)
	if err == nil {
		var c *Costs
		if c, err = parseCosts(name, string(data)); err == nil {
			return c
		}
	}
	panic("caches: the shipped table of costs: " + err.Error())
}

// run is one line of the table.
type run struct {
	size     cachesim.Size
	ways     int
	block    cachesim.Size
	feasible bool
	cost     Cost
}

func parseCosts(name, text string) (*Costs, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, &traceio.Error{File: name, Offset: -1, Msg: err.Error(), Err: err}
	}
	var runs []run
	for i, row := range rows {
		if i == 0 && row[0] == "size_bytes" {
			continue
		}
		one, err := parseRun(row)
		if err != nil {
			return nil, &traceio.Error{File: name, Offset: -1, Msg: fmt.Sprintf("run %d: %v", i, err),
				Hint: "a run is size_bytes,assoc,line_bytes,access_ns,cycle_ns,read_nJ,write_nJ,leak_mW,area_mm2"}
		}
		runs = append(runs, one)
	}
	return newCosts(runs), nil
}

func parseRun(row []string) (run, error) {
	if len(row) != 9 {
		return run{}, fmt.Errorf("%d fields, where 9 belong", len(row))
	}
	var v [9]float64
	one := run{feasible: row[3] != "infeasible"}
	for i, text := range row {
		if !one.feasible && i >= 3 {
			break
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			return run{}, fmt.Errorf("%q is no number above 0", text)
		}
		v[i] = x
	}
	one.size, one.ways, one.block = cachesim.Size(v[0]), int(v[1]), cachesim.Size(v[2])
	one.cost = Cost{v[3], v[5], v[6], v[7], v[8]}
	return one, nil
}

func newCosts(runs []run) *Costs {
	c := &Costs{factors: map[cachesim.Size]grid{}}
	c.base = newGrid(runs, baseBlock)
	c.base.complete()
	for _, r := range runs {
		if _, known := c.factors[r.block]; known || r.block == baseBlock {
			continue
		}
		g := newGrid(runs, r.block)
		for i, size := range g.sizes {
			for j, ways := range g.ways {
				if base, ok := c.base.at(size, ways); ok {
					for k := range fields {
						g.logs[i][j][k] -= base[k]
					}
				}
			}
		}
		g.complete()
		c.factors[r.block] = g
	}
	return c
}

// Blocks are the block sizes that the table knows.
func (c *Costs) Blocks() []cachesim.Size {
	list := []cachesim.Size{baseBlock}
	for b := range c.factors {
		list = append(list, b)
	}
	slices.Sort(list)
	return list
}

// Of is the cost of a cache. The error says why there is none: CACTI found no organisation, or the table does not reach
// as far.
func (c *Costs) Of(size cachesim.Size, ways int, block cachesim.Size) (Cost, error) {
	g := &c.base
	smallest, largest := g.sizes[0], g.sizes[len(g.sizes)-1]
	factor, known := c.factors[block]
	switch {
	case block != baseBlock && !known:
		return Cost{}, fmt.Errorf("the %s has blocks of %v, and none of %v", Source, c.Blocks(), block)
	case float64(size) < smallest || float64(size) > largest:
		return Cost{}, fmt.Errorf("the %s has caches from %v to %v, and none of %v", Source, cachesim.Size(smallest),
			cachesim.Size(largest), size)
	case ways < 1 || float64(ways) > g.ways[len(g.ways)-1]:
		return Cost{}, fmt.Errorf("the %s has from 1 to %v ways, and not %d", Source, g.ways[len(g.ways)-1], ways)
	case sets(size, ways, block) < leastSets:
		return Cost{}, fmt.Errorf("%v in %d ways of %v makes %d sets; CACTI finds no organisation with fewer than %d", size,
			ways, block, sets(size, ways, block), leastSets)
	}
	logs, ok := g.at(float64(size), float64(ways))
	if ok && known {
		var more [fields]float64
		more, ok = factor.at(float64(size), float64(ways))
		for k := range fields {
			logs[k] += more[k]
		}
	}
	if !ok {
		return Cost{}, fmt.Errorf("the %s has too few runs around %v in %d ways of %v", Source, size, ways, block)
	}
	for k, x := range logs {
		logs[k] = math.Exp(x)
	}
	return costOf(logs), nil
}

func sets(size cachesim.Size, ways int, block cachesim.Size) int {
	return int(uint64(size) / uint64(block) / uint64(ways))
}
