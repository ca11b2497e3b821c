// Package topology finds recurrent behaviour in a reference trace, or in any finite metric space, and gives each
// recurrence a circular coordinate.
//
// In go symbols, one for each record of the trace; out come the barcode of persistent cohomology in degree 1 and, for
// the most persistent classes, an angle for every moment of the trace:
//
//	symbols --windows--> points --Levenshtein--> distances --Rips, eps--> complexes --Z/p--> classes (the barcode)
//	class --at its birth--> cocycle --lift to Z--> integers --least squares--> angle of a point --over time--> turns
//
// Source: Choudhury, Wang, Rosen, Pascucci, "Topological analysis and visualization of cyclical behavior in memory
// reference traces" (PacificVis 2012), which builds on de Silva, Morozov, Vejdemo-Johansson, "Persistent cohomology and
// circular coordinates". Deviations: identical windows are merged into one weighted point, which leaves the barcode as
// it is; the complexes are thinned by edge collapses before anything is reduced, which leaves it too.
//
// Analyze, AnalyzeMatrix and AnalyzePoints do all of it; Quick does what a moving pointer leaves time for. Of a
// finished Result, At computes one class again at another scale, and Adaptive thins the runs that accepted classes
// explain. Look goes through a run of any length: it finds its phases by what runs in them and takes a Quick look at a
// window of each kind.
//
// Results are immutable and a pure function of the input and the options: neither the number of processors nor a
// second run changes a bit of them.
package topology

import (
	"math"
	"slices"
)

// Limits and defaults of Options.
const (
	MinWindow     = 2
	MaxWindow     = 64
	DefaultWindow = 10
	DefaultPrime  = 47
	DefaultTop    = 12
	// DefaultAmble is the largest distance, in turns, of a lead-in from the angle at which it starts.
	DefaultAmble = 0.05
	// PointScale is the default Scale of points and matrices: the angles of noisy circles of 40 to 200 points are best
	// there, while those of traces run most steadily at birth.
	PointScale = 0.3
	// DefaultMemory is the default limit of memory in bytes.
	DefaultMemory = 2 << 30
)

// Options steer an analysis. The zero value is the paper's setting.
type Options struct {
	Window int     // records in a window, MinWindow..MaxWindow; 0 = DefaultWindow; traces only
	Eps    float64 // largest scale of the complexes; 0 = no limit (for windows: their length)
	Prime  int     // the field Z/p, a prime below 32768, odd if coordinates are wanted; 0 = DefaultPrime
	Top    int     // how many classes get coordinates; 0 = DefaultTop, negative = none
	// where between birth (negative) and death (1) coordinates are computed; 0 = birth for traces, PointScale otherwise
	Scale float64
	Amble float64 // in turns; 0 = DefaultAmble, negative = no pre- and post-ambles
	// Landmarks, if not 0, is how many distinct windows (points) are analysed at most; where there are more, each of
	// the others takes the angle of the nearest landmark and the result is Approximate.
	Landmarks int
	Weights   Weights // of the edges in the smoothing
	Memory    int64   // refuse what would need more bytes; 0 = DefaultMemory

	quick bool // a first look: see Quick
}

// withDefaults replaces zeros by the defaults.
func (o Options) withDefaults() Options {
	if o.Window == 0 {
		o.Window = DefaultWindow
	}
	if o.Prime == 0 {
		o.Prime = DefaultPrime
	}
	if o.Top == 0 {
		o.Top = DefaultTop
	}
	if o.Amble == 0 {
		o.Amble = DefaultAmble
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Weights == WeightsAuto {
		o.Weights = WeightsEqual
	}
	if o.Eps == 0 {
		o.Eps = math.Inf(1)
	}
	return o
}

// Bar is one class of the barcode: it exists at the scales Birth <= s < Death.
type Bar struct {
	Birth    float64
	Death    float64 // +Inf when Infinite
	Infinite bool    // still alive at Eps
}

// Persistence is Death - Birth, +Inf for a class that survives Eps.
func (b Bar) Persistence() float64 { return b.Death - b.Birth }

// Result is what an analysis found. Time index i stands for window i, the used records i..i+Window-1 (for points and
// matrices: point i).
type Result struct {
	Stage       Stage   // Full unless Quick made it
	Used        int     // records used
	Window      int     // records in a window; 1 for points and matrices
	Times       int     // time indexes: windows, or points
	Points      int     // distinct points
	Kept        int     // points that were analysed: Points, or fewer landmarks when Approximate
	Point       []int32 // time index -> its point among those kept, numbered by first visit
	Eps         float64 // largest scale; +Inf when unlimited (for windows: at most their length)
	Radius      float64 // enclosing radius of the points: nothing lives at or beyond it
	Prime       int     // the field of the barcode
	Weights     Weights // of the edges in the smoothing, never WeightsAuto
	Approximate bool    // landmarks stand for the points; bars are off by up to twice Cover at each end
	Cover       float64 // the largest distance of a point from its landmark; 0 when exact

	Barcode []Bar // every class, in order of rank
	// of the first classes, in order of rank; those that could not be lifted are missing
	Parameterizations []Parameterization
	Notes             []string // sentences for the user: what could not be computed, and why
	Problem           *Error   // set when nothing was found: why, and what to change; not repeated in Notes

	study *study // what At needs
}

// Parameterization is one class turned into an angle for every time index.
type Parameterization struct {
	Rank     int // from 1; Barcode[Rank-1] is its bar
	Birth    float64
	Death    float64 // +Inf when Infinite
	Infinite bool
	Scale    float64 // the scale of the complex whose cocycle was smoothed
	Prime    int     // the field in which the cocycle was found; differs from Result.Prime where that one did not lift

	Turns   float64 // how often the behaviour recurs, the partial turns at both ends of the run included; see turns
	Winding float64 // the net motion of the windows: Unwrapped at the last time index minus the first, >= 0
	Travel  float64 // sum of the absolute steps of Unwrapped, in turns
	Score   float64 // Winding / Travel, 0..1: 1 is a curve that never turns back; 0 when Travel is 0

	Theta     []float32 // by time index: angle in [0, 2 pi), 0 at the first member; NaN off the class's component
	Unwrapped []float64 // by time index: the same in turns, followed through time; NaN off the component
	Members   []bool    // by time index: on the component and neither in the pre- nor in the postamble
	Count     int       // members
	First     int       // time index of the first member, -1 without any
	Preamble  int       // time indexes before the first member that lead in at a nearly constant angle
	Postamble int       // time indexes after the last member that lead out

	Triangles   int // triangles on which the lifted cocycle was verified to close over the integers
	DuplicateOf int // rank of an earlier parameterization that shows the same motion; 0 = none
}

// Leaps is how many of the members' steps through time are half a turn or longer, so that nothing says which way round
// they went: each of them may be one turn more or less.
func (p *Parameterization) Leaps() (n int) {
	const half = 0.5 - 1e-9
	before := math.NaN()
	for t, member := range p.Members {
		if !member {
			continue
		}
		if math.Abs(p.Unwrapped[t]-before) >= half {
			n++
		}
		before = p.Unwrapped[t]
	}
	return n
}

// Uncertain reports whether so many steps are leaps that Turns may be off by more than a tenth.
func (p *Parameterization) Uncertain() bool { return 10*float64(p.Leaps()) > p.Turns }

// Period is how many time indexes one turn takes: those of as many whole turns as leave half a turn of the members'
// motion to begin in, by their number, the median over where they begin. Windows at both ends of a run are in part of
// what is around it and move at another speed, so that members over Turns would be none. NaN where there is no whole
// turn.
func (p *Parameterization) Period() float64 {
	var times []int // of the members that are further on than all before them
	var at []float64
	for t, member := range p.Members {
		if v := p.Unwrapped[t]; member && (len(at) == 0 || v > at[len(at)-1]) {
			times, at = append(times, t), append(at, v)
		}
	}
	if len(at) == 0 {
		return math.NaN()
	}
	const rounding = 1e-9
	whole := max(1, math.Floor(at[len(at)-1]-at[0]-0.5))
	var took []float64
	for i, k := 0, 0; i < len(at); i++ {
		goal := at[i] + whole - rounding
		for k < len(at) && at[k] < goal {
			k++
		}
		if k == len(at) {
			break
		}
		step := float64(times[k] - times[k-1])
		arrival := float64(times[k-1]) + step*(goal-at[k-1])/(at[k]-at[k-1])
		took = append(took, arrival-float64(times[i]))
	}
	if len(took) == 0 {
		return float64(p.Count-1) / (at[len(at)-1] - at[0])
	}
	slices.Sort(took)
	return took[len(took)/2] / whole
}

// ToAndFro reports whether less than half of the motion is net motion: its turns do not follow one another.
func (p *Parameterization) ToAndFro() bool { return p.Score < steadyMotion }

// steadyMotion is the score from which a motion counts as one that goes round.
const steadyMotion = 0.5

// Reason says what kind of obstacle an Error is about.
type Reason int

// The obstacles.
const (
	BadOption    Reason = iota + 1 // an option is out of range
	TooShort                       // fewer than Window+3 records
	OnePoint                       // all windows are the same
	NoClass                        // nothing recurs at any scale up to Eps
	Disconnected                   // Eps is too small to connect anything into a cycle
	TooLarge                       // the limit of memory would be passed
	BadMetric                      // the distances are no metric: negative, not a number, or of the wrong shape
)

// Error is an obstacle in one sentence with the remedy.
type Error struct {
	Reason Reason
	Msg    string
	Hint   string
}

// Error gives "message; hint".
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}
