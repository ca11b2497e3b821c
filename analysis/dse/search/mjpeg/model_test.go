package mjpeg

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/analysis/dse/search"
	"orrery/traceio/designs"
)

// TestPlatforms counts the combinations as the paper does, and checks what it says of each.
func TestPlatforms(t *testing.T) {
	list := platforms()
	byCount := map[int]int{}
	seen := map[platform]bool{}
	costs := []float64{math.Inf(1), 0}
	for _, p := range list {
		n, memories := p.count(processorBits), p.count(memoryBits)
		byCount[n]++
		costs[0], costs[1] = min(costs[0], p.cost()), max(costs[1], p.cost())
		switch {
		case seen[p]:
			t.Errorf("%b is there twice", p)
		case !p.has(mP) && !p.has(mC):
			t.Errorf("%s cannot run the application", p.names(processorBits))
		case (n == 1) != (memories == 0):
			t.Errorf("%d processors with %d memories", n, memories)
		case (p.has(fifo1) || p.has(fifo2)) && !(p.has(mP) && p.has(asip)):
			t.Errorf("a FIFO without its processors in %s", p.names(processorBits))
		}
		seen[p] = true
	}
	if want := map[int]int{1: 2, 2: 6*3 + 13, 3: 6*3 + 3*6, 4: 2*3 + 3*6, 5: 6}; len(list) != 99 ||
		!mapsEqual(byCount, want) {
		t.Errorf("%d platforms, by processors %v, want 99 and %v", len(list), byCount, want)
	}
	if costs[0] != 20 || costs[1] != 200 {
		t.Errorf("costs are from %v to %v, want 20 to 200", costs[0], costs[1])
	}
	params, feasible := parameters(list)
	for i, combo := range feasible {
		for j, v := range combo {
			if int(v) >= len(params[j].Values) {
				t.Fatalf("platform %d: value %d of %s", i, v, params[j].Name)
			}
		}
		if got := params[1].Values[combo[1]]; got != list[i].names(processorBits) {
			t.Errorf("platform %d is called %s", i, got)
		}
	}
}

func mapsEqual(a, b map[int]int) bool {
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

// onMC is everything on mC but what the map says, over one memory.
func onMC(others map[int]int, memory int) binding {
	var b binding
	for p := range b.process {
		b.process[p] = mC
		if on, ok := others[p]; ok {
			b.process[p] = on
		}
	}
	for i, c := range channels {
		if b.channel[i] = memory; b.process[c.from] == b.process[c.to] {
			b.channel[i] = b.process[c.from]
		}
	}
	b.built = b.used()
	return b
}

// TestModelByHand follows two bindings with pencil and paper.
//
// Everything on mC: execution 4.8+3.6+14.4+40.8+12+16.8+3.6+4.8 = 100.8, channels 0.02*63.75 = 1.275, together 102.075;
// T = 1.08*102.075, E = 0.62*102.075 + 0.02*T, C = 20.
//
// DCT on ASIC-DCT over DRAM: mC executes 60 and the ASIC 2.5; three channels of volume 1 are external, 1.3 for each
// end, and the others take 0.02*60.75 = 1.215. mC is busy for 60+1.215+3.9 = 65.115, the ASIC for 6.4, DRAM for 7.8;
// all work is 62.5+1.215+7.8 = 71.515; T = 65.115 + 0.08*71.515, E = 60*0.62 + 2.5*0.6 + 1.215*0.62 + 2*3*1 +
// (0.02+0.02+0.04)*T, C = 50. DCT reads two of the channels, which take 2.6, and DRAM has the load 7.8/T.
func TestModelByHand(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	b := onMC(nil, dram)
	o := b.evaluate()
	T := 1.08 * 102.075
	near("time on mC", o.time, T)
	near("energy on mC", o.energy, 0.62*102.075+0.02*T)
	near("cost of mC", o.cost, 20)
	near("busy mC", o.busy[mC], 102.075)
	near("reading", o.read[mC], 1.275/2)
	near("writing", o.written[mC], 1.275/2)
	near("writing of VLE", o.writeLatency[vle], 25*0.01)

	b = onMC(map[int]int{dct: asicDCT}, dram)
	o = b.evaluate()
	T = 65.115 + 0.08*71.515
	rho := 7.8 / T
	near("time with ASIC-DCT", o.time, T)
	near("energy with ASIC-DCT", o.energy, 60*0.62+2.5*0.6+1.215*0.62+6+0.08*T)
	near("cost with ASIC-DCT", o.cost, 50)
	near("busy ASIC-DCT", o.busy[asicDCT], 6.4)
	near("busy DRAM", o.busy[dram], 7.8)
	near("DCT's reads", o.readLatency[dct], 2.6*(1+rho/(2*(1-rho))))
	near("DCT's writes", o.writeLatency[dct], 1.3*(1+rho/(2*(1-rho))))
	near("DCT's execution", o.execution[dct], 2.5)
}

// TestSecondary: what is told of a design fits its table and itself: the parts of a processor's time are its
// utilization, and the executions on it are its execution.
func TestSecondary(t *testing.T) {
	p := New()
	head := p.Head()
	r := rand.New(rand.NewPCG(1, 1))
	g := make(search.Genome, len(p.Genes()))
	for range 200 {
		p.Start(r, g)
		p.Repair(g)
		results, err := p.Evaluate(context.Background(), []search.Genome{g})
		if err != nil {
			t.Fatal(err)
		}
		values := results[0].Secondary
		point := p.Point(g, results[0])
		if len(values) != len(head.Secondary) {
			t.Fatalf("%d values for %d secondary objectives", len(values), len(head.Secondary))
		}
		parts := map[designs.SecondaryKind][processors]float64{}
		for i, h := range head.Secondary {
			if values[i] < 0 || h.Kind != designs.ReadLatency && h.Kind != designs.WriteLatency && values[i] > 1 {
				t.Errorf("%s is %v", h.Name, values[i])
			}
			of := h.Of
			if h.Kind == designs.Execution {
				of = int(point.Processes[h.Of])
			}
			if of < processors {
				sum := parts[h.Kind]
				sum[of] += values[i]
				parts[h.Kind] = sum
			}
		}
		for c := range processors {
			if all := parts[designs.ReadTime][c] + parts[designs.WriteTime][c] + parts[designs.ExecuteTime][c]; math.Abs(
				all-parts[designs.Utilization][c]) > 1e-12 {
				t.Errorf("processor %d is busy for %v and does %v", c, parts[designs.Utilization][c], all)
			}
			if math.Abs(parts[designs.Execution][c]-parts[designs.ExecuteTime][c]) > 1e-12 {
				t.Errorf("processor %d executes for %v, its processes for %v", c, parts[designs.ExecuteTime][c],
					parts[designs.Execution][c])
			}
		}
	}
}

// TestAnyGenomeIsADesign: repaired genomes are bindings that the platform allows, repair changes nothing twice, and
// what is allocated is the cheapest possible platform that has everything.
func TestAnyGenomeIsADesign(t *testing.T) {
	p := New()
	r := rand.New(rand.NewPCG(4, 4))
	g := make(search.Genome, len(p.Genes()))
	for range 3000 {
		search.Draw(r, p.Genes(), g)
		before := p.bind(g)
		p.Repair(g)
		once := slices.Clone(g)
		p.Repair(g)
		b := p.bind(g)
		if b != before || !slices.Equal(once, g) {
			t.Fatalf("%v becomes %v and another design", once, g)
		}
		for i, c := range channels {
			from, to := b.process[c.from], b.process[c.to]
			if m := b.channel[i]; m < processors && (m != from || m != to) || m >= processors && !carries(m, from, to) {
				t.Fatalf("%v: channel %d from %d to %d is on %d", g, i, from, to, m)
			}
		}
		for _, other := range p.platforms {
			if other&b.used() == b.used() && other.cost() < b.built.cost() {
				t.Fatalf("%v: %b would do and costs less than %b", g, other, b.built)
			}
		}
		if !slices.Contains(p.platforms, b.built) || b.built&b.used() != b.used() {
			t.Fatalf("%v: %b is built, %b is used", g, b.built, b.used())
		}
	}
}

// TestResumed: the case study goes on from a saved state as if it had never stopped.
func TestResumed(t *testing.T) {
	run := func(s *search.Search, generations int) []byte {
		if err := s.Run(context.Background(), generations, nil, nil); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := s.Save(&file); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	begin := func() *search.Search {
		s, err := search.New(New(), Options(5))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s, err := search.Load(New(), "state", run(begin(), 8))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(run(s, 20), run(begin(), 20)) {
		t.Error("the resumed search differs")
	}
}

func BenchmarkCase(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		searched(b, 1)
	}
}
