package mjpeg

// binding is a complete mapping: the processor of each process, and the component of each channel, which is the
// processor when both its ends are there.
type binding struct {
	process [processes]int
	channel [len(channels)]int
	built   platform // what is allocated, used or not
}

// used are the components that something is mapped to.
func (b *binding) used() (p platform) {
	for _, c := range b.process {
		p |= set(c)
	}
	for _, c := range b.channel {
		p |= set(c)
	}
	return p
}

// outcome is what a binding makes of the application. Times are in units of time, not shares.
type outcome struct {
	time, energy, cost float64

	execution                 [processes]float64
	readLatency, writeLatency [processes]float64 // waiting for a loaded memory included
	busy                      [components]float64
	executing, read, written  [processors]float64
}

// evaluate is the model. The longest busy component bounds the processing time from below; processes that wait for each
// other add a share of all work:
//
//	T = max busy + overlap * (sum of execution, reads and writes)
//	E = execution * power + 2 * volume * energy of a memory + static * T
//	C = sum of the costs of what is allocated
func (b *binding) evaluate() outcome {
	var o outcome
	all := 0.0
	for p, on := range b.process {
		t := tasks[p].time[on]
		o.execution[p] = t
		o.executing[on] += t
		o.busy[on] += t
		o.energy += t * parts[on].power
		all += t
	}
	for i, c := range channels {
		on := b.channel[i]
		t := c.volume * parts[on].time
		if on < processors {
			t = c.volume * internal / 2
			o.energy += 2 * t * parts[on].power
		} else {
			o.busy[on] += 2 * t
			o.energy += 2 * c.volume * parts[on].energy
		}
		o.busy[b.process[c.from]] += t
		o.busy[b.process[c.to]] += t
		o.written[b.process[c.from]] += t
		o.read[b.process[c.to]] += t
		all += 2 * t
	}
	for _, t := range o.busy {
		o.time = max(o.time, t)
	}
	o.time += overlap * all
	for c, p := range parts {
		if b.built.has(c) {
			o.energy += p.static * o.time
		}
	}
	o.cost = b.built.cost()
	b.latencies(&o)
	return o
}

// latencies are how long each process waits for its reads and writes: their own time, longer on a memory with load rho
// by the mean wait of a queue with constant service (Pollaczek and Khinchine): rho/(2(1-rho)) services.
func (b *binding) latencies(o *outcome) {
	for i, c := range channels {
		on := b.channel[i]
		t := c.volume * parts[on].time
		if on < processors {
			t = c.volume * internal / 2
		} else {
			rho := o.busy[on] / o.time
			t *= 1 + rho/(2*(1-rho))
		}
		o.writeLatency[c.from] += t
		o.readLatency[c.to] += t
	}
}

// secondary are the outcome's secondary objectives, in the order of secondaryHead. Shares are of the processing time.
func (o *outcome) secondary() []float64 {
	var out []float64
	shares := func(times []float64) {
		for _, t := range times {
			out = append(out, t/o.time)
		}
	}
	shares(o.busy[:])
	shares(o.execution[:])
	out = append(out, o.readLatency[:]...)
	out = append(out, o.writeLatency[:]...)
	shares(o.read[:])
	shares(o.written[:])
	shares(o.executing[:])
	return out
}
