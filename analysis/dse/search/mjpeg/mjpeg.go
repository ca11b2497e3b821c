// Package mjpeg is the case study of the VMODEX paper (sections 6 and 7) as a search.Problem: a Motion-JPEG encoder of
// eight processes and seventeen channels, to be mapped onto a subset of five processors and four memories, with
// processing time, energy and cost to be made small. In goes a genome, a processor for each process and a memory for
// each channel; out come the three objectives and everything that the paper shows of a design on demand: utilization,
// execution times, latencies and what the processors do.
//
// It is a reconstruction. The paper tells which components there are, what each may do, how many platforms are
// possible, which channels are intensive and what the search found; its process network (figure 13), its costs and its
// simulator's times are not in its text. The numbers of network.go are so chosen that the paper's findings come out;
// Note says so, and goes with every table made here.
package mjpeg

import (
	"math/bits"

	"orrery/traceio/designs"
)

// Note is what must be said of every number of this package.
const Note = "A reconstruction of the VMODEX paper's Motion-JPEG case: components, rules and findings are the " +
	"paper's, the times, energies, costs and the channels between processes are not in its text and were chosen to " +
	"agree with them."

// platform is a set of processors and memories that can be built: bit c for component c, numbered as in
// designs.Mapping.
type platform uint16

func (p platform) has(c int) bool { return p>>c&1 != 0 }

// The components: five processors, then four memories.
const (
	mP = iota
	mC
	asip
	asicDCT
	asicVLE
	sram
	dram
	fifo1 // from ASIP to mP
	fifo2 // from mP to ASIP
	components

	processors = sram
)

const (
	processorBits = platform(1)<<processors - 1
	memoryBits    = platform(1)<<components - 1 - processorBits
)

func set(cs ...int) (p platform) {
	for _, c := range cs {
		p |= 1 << c
	}
	return p
}

// cost is the sum over the components.
func (p platform) cost() (sum float64) {
	for c := range components {
		if p.has(c) {
			sum += parts[c].cost
		}
	}
	return sum
}

// names are those of the components in a part of the platform: "ASIP + mP", "none".
func (p platform) names(of platform) string {
	text := ""
	for c := range components {
		if !(p & of).has(c) {
			continue
		}
		if text != "" {
			text += " + "
		}
		text += parts[c].name
	}
	if text == "" {
		return "none"
	}
	return text
}

func (p platform) count(of platform) int { return bits.OnesCount16(uint16(p & of)) }

// platforms are the possible combinations, 99 as in the paper. Every one has mP or mC, which alone can run everything:
//
//	one processor, no memory                                                       2
//	14 sets of several without both mP and ASIP: SRAM, DRAM or both               42
//	mP and ASIP alone: these three with any of the two FIFOs, or both FIFOs alone  13
//	7 larger sets with mP and ASIP: the three, and three more with a FIFO          42
func platforms() []platform {
	shared := []platform{set(sram), set(dram), set(sram, dram)}
	list := []platform{set(mP), set(mC)}
	for p := platform(1); p <= processorBits; p++ {
		switch {
		case !p.has(mP) && !p.has(mC) || p.count(processorBits) == 1:
		case p == set(mP, asip):
			for _, fifos := range []platform{0, set(fifo1), set(fifo2), set(fifo1, fifo2)} {
				for _, m := range shared {
					list = append(list, p|m|fifos)
				}
			}
			list = append(list, p|set(fifo1, fifo2))
		default:
			for _, m := range shared {
				list = append(list, p|m)
			}
			if p.has(mP) && p.has(asip) {
				list = append(list, p|set(sram, fifo2), p|set(dram, fifo1), p|set(sram, dram, fifo2))
			}
		}
	}
	return list
}

// parameters are the four of the paper, with the feasible combinations as indices into their values.
func parameters(list []platform) (params []designs.Parameter, feasible [][]int32) {
	params = []designs.Parameter{{Name: "processors"}, {Name: "processor types"}, {Name: "memories"},
		{Name: "memory types"}}
	for n := range processors {
		params[0].Values = append(params[0].Values, number(n+1))
	}
	for n := range components - processors + 1 {
		params[2].Values = append(params[2].Values, number(n))
	}
	known := [4]map[string]int32{1: {}, 3: {}}
	value := func(j int, text string) int32 {
		v, ok := known[j][text]
		if !ok {
			v = int32(len(params[j].Values))
			known[j][text] = v
			params[j].Values = append(params[j].Values, text)
		}
		return v
	}
	feasible = make([][]int32, len(list))
	for n := 1; n <= components; n++ { // few components first
		for i, p := range list {
			if p.count(processorBits|memoryBits) == n {
				feasible[i] = []int32{int32(p.count(processorBits) - 1), value(1, p.names(processorBits)),
					int32(p.count(memoryBits)), value(3, p.names(memoryBits))}
			}
		}
	}
	return params, feasible
}

func number(n int) string { return string(rune('0' + n)) }
