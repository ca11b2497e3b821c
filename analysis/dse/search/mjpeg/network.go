package mjpeg

import (
	"math"

	"orrery/traceio/designs"
)

// part is a component of the platform.
type part struct {
	name, kind string
	cost       float64
	static     float64 // energy for each unit of time that it is there
	power      float64 // of a processor: energy for each unit of time that it works
	time       float64 // of a memory: for one unit of volume, writing or reading
	energy     float64 // of a memory: for one unit of volume, writing or reading
}

var parts = [components]part{
	mP:      {name: "mP", kind: "mP", cost: 60, static: 0.05, power: 1},
	mC:      {name: "mC", kind: "mC", cost: 20, static: 0.02, power: 0.62},
	asip:    {name: "ASIP", kind: "ASIP", cost: 50, static: 0.04, power: 1.2},
	asicDCT: {name: "ASIC-DCT", kind: "ASIC-DCT", cost: 20, static: 0.02, power: 0.6},
	asicVLE: {name: "ASIC-VLE", kind: "ASIC-VLE", cost: 15, static: 0.02, power: 0.6},
	sram:    {name: "SRAM", kind: "SRAM", cost: 20, static: 0.03, time: 1, energy: 0.8},
	dram:    {name: "DRAM", kind: "DRAM", cost: 10, static: 0.04, time: 1.3, energy: 1},
	fifo1:   {name: "DFIFO-1", kind: "DFIFO", cost: 5, static: 0.005, time: 0.6, energy: 0.35},
	fifo2:   {name: "DFIFO-2", kind: "DFIFO", cost: 5, static: 0.005, time: 0.6, energy: 0.35},
}

// The processes.
const (
	vIn = iota
	dmux
	rgb2yuv
	dct
	quant
	vle
	vOut
	control
	processes
)

// never is the time of a process on a processor that cannot execute it.
var never = math.Inf(1)

// tasks have the names of the processes and the time that each takes on mP, mC, ASIP, ASIC-DCT and ASIC-VLE.
var tasks = [processes]struct {
	name string
	time [processors]float64
}{
	vIn:     {"V-In", [processors]float64{4, 4.8, never, never, never}},
	dmux:    {"DMUX", [processors]float64{3, 3.6, never, never, never}},
	rgb2yuv: {"RGB2YUV", [processors]float64{12, 14.4, 3, never, never}},
	dct:     {"DCT", [processors]float64{34, 40.8, 5, 2.5, never}},
	quant:   {"Q", [processors]float64{10, 12, 3, never, never}},
	vle:     {"VLE", [processors]float64{14, 16.8, never, never, 3}},
	vOut:    {"V-Out", [processors]float64{3, 3.6, never, never, never}},
	control: {"Control", [processors]float64{4, 4.8, never, never, never}},
}

// channel carries so much from one process to another, relative to a block of pixels.
type channel struct {
	from, to int
	volume   float64
}

// channels are those between the processes. The intensive ones carry the tables of the Huffman code (paper, section
// 6.3).
var channels = [...]channel{
	{vIn, dmux, 1}, {vIn, dmux, 0.25}, {dmux, rgb2yuv, 1}, {dmux, rgb2yuv, 0.25}, {rgb2yuv, dct, 1}, {dmux, dct, 1},
	{dct, quant, 1}, {quant, vle, 1},
	{vle, vOut, 18}, {control, quant, 0.25}, {control, vle, 12}, {control, vOut, 19}, {vle, control, 7},
	{vOut, control, 0.25},
	{vIn, vOut, 0.25}, {dmux, control, 0.25}, {vIn, control, 0.25},
}

const (
	internal = 0.02 // time for one unit of volume between processes of one processor, half of it writing and half reading
	overlap  = 0.08 // share of all work that delays the whole, because processes wait for each other
)

// carries tells whether memory m may hold a channel between processes on these processors.
func carries(m, from, to int) bool {
	switch m {
	case fifo1:
		return from == asip && to == mP
	case fifo2:
		return from == mP && to == asip
	}
	return from != to
}

// channelName is "DMUX>DCT", with a number when a channel before has the same ends.
func channelName(i int) string {
	c := channels[i]
	name := tasks[c.from].name + ">" + tasks[c.to].name
	n := 1
	for _, before := range channels[:i] {
		if before.from == c.from && before.to == c.to {
			n++
		}
	}
	if n > 1 {
		name += " " + number(n)
	}
	return name
}

// platformTable is the application and its components as a table of designs tells them.
func platformTable() *designs.Platform {
	p := &designs.Platform{}
	for _, t := range tasks {
		p.Processes = append(p.Processes, designs.Process{Name: t.name})
	}
	for i, c := range channels {
		p.Channels = append(p.Channels, designs.Channel{Name: channelName(i), From: c.from, To: c.to, Volume: c.volume})
	}
	for c, x := range parts {
		if c < processors {
			p.Processors = append(p.Processors, designs.Component{Name: x.name, Type: x.kind})
		} else {
			p.Memories = append(p.Memories, designs.Component{Name: x.name, Type: x.kind})
		}
	}
	return p
}
