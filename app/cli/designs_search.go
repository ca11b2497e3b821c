package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"orrery/analysis/dse"
	"orrery/analysis/dse/search"
	"orrery/analysis/dse/search/caches"
	"orrery/analysis/dse/search/mjpeg"
	"orrery/app/output"
	"orrery/app/session"
)

// searchFlags are the flags of the search command.
type searchFlags struct {
	generations, population int
	seed                    uint64
	space                   caches.Space
	example                 bool
	state, resume           string
	out                     string
	top                     int
	json                    bool
}

const searchLong = `Search explores cache hierarchies for a recording: one to three levels, each with its size, ways, replacement policy, write
mode and prefetcher, and the size of blocks. It looks for small average access time, energy and area at once, with the genetic
algorithm NSGA-II, and prints the hierarchies that no other one it met beats in all three. Each is simulated exactly, as
orrery cache would, on the data references of the recording in one thread; times, energies and areas of caches come from a
table of the CACTI 7 model (32 nm), main memory from --memory-ns and --memory-nj.

A search is the same on every run with the same --seed. With --state its state is kept in a file as it goes; --resume goes on
from there to the number of --generations, and gives what an unbroken search gives. --output writes all designs met as a table
for orrery designs and the window. --example searches the mapping problem of a Motion-JPEG encoder instead of a recording.`

func searchCommand(s Streams) *cobra.Command {
	f := searchFlags{space: caches.DefaultSpace()}
	c := &cobra.Command{
		Use:   "search FILE",
		Short: "search for cache hierarchies that suit a recording",
		Long:  searchLong,
		Example: `  orrery designs search testdata/recordings/matmul-blocked.orr --generations 10 --population 40
  orrery designs search testdata/recordings/matmul-standard.orr --generations 10 --max-area 0.2 -o designs.csv && orrery designs designs.csv
  orrery designs search testdata/recordings/matmul-standard.orr --generations 5 --state s.json && orrery designs search testdata/recordings/matmul-standard.orr --generations 10 --resume s.json --json
  orrery designs search --example -o motion-jpeg.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if f.example && len(args) == 0 {
				return nil
			}
			if f.example {
				return usagef("--example takes no file")
			}
			return oneFile(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			if f.example {
				p := newProgress(s.Err, "searching")
				defer p.Done()
				return f.run(c.Context(), s, session.DesignExample, mjpeg.New(), p)
			}
			return withRecording(c.Context(), s, args[0], "searching", func(rec *loaded, p *progress) error {
				if err := rec.needsReferences(); err != nil {
					return err
				}
				problem, err := caches.New(rec.Recording, f.space)
				if err != nil {
					return usageError{err}
				}
				return f.run(c.Context(), s, args[0], problem, p)
			})
		},
	}
	c.Flags().IntVar(&f.generations, "generations", 50, "generations in all (100 with --example)")
	c.Flags().IntVar(&f.population, "population", 100, "designs in a generation")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "number that all chance comes from")
	c.Flags().Float64Var(&f.space.Area, "max-area", 0, "largest area of all levels, mm² (default: any)")
	c.Flags().Float64Var(&f.space.Memory.Time, "memory-ns", f.space.Memory.Time, "time of a block from main memory, ns")
	c.Flags().Float64Var(&f.space.Memory.Energy, "memory-nj", f.space.Memory.Energy,
		"energy of a block to or from main memory, nJ")
	c.Flags().BoolVar(&f.example, "example", false, "search the Motion-JPEG case of the VMODEX paper, a reconstruction")
	c.Flags().StringVar(&f.state, "state", "", "keep the search's state in this file")
	c.Flags().StringVar(&f.resume, "resume", "",
		"go on from the state in this file, and keep it there unless --state names another")
	c.Flags().StringVarP(&f.out, "output", "o", "",
		"write all designs met: NAME.json as JSON, others as CSV with their description in FILE.json")
	c.Flags().IntVar(&f.top, "top", 20, "rows of the table")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	renamed(c, map[string]string{"out": "output"})
	return c
}

// formerSearch is the command by the name that it had beside designs.
func formerSearch(s Streams) *cobra.Command {
	c := searchCommand(s)
	c.Hidden = true
	return c
}

func (f *searchFlags) check(c *cobra.Command) error {
	switch {
	case f.generations < 1 || f.generations > maxGenerations:
		return usagef("--generations is %d; it must be from 1 to %d", f.generations, maxGenerations)
	case f.population < 2 || f.population > search.MaxPopulation:
		return usagef("--population is %d; it must be from 2 to %d", f.population, search.MaxPopulation)
	case f.top < 1:
		return usagef("--top is %d; it must be at least 1", f.top)
	case f.resume != "" && (c.Flags().Changed("seed") || c.Flags().Changed("population")):
		return usagef("--resume goes on with the seed and the population of its state; leave --seed and --population out")
	}
	if err := refuse(c.Flags(),
		applies{!f.example, "max-area memory-ns memory-nj", "to hierarchies, not to the example"},
		applies{!f.json, "top", "to the table that is printed without --json"}); err != nil {
		return err
	}
	if err := f.space.Validate(); err != nil {
		return usageError{err}
	}
	if f.example && !c.Flags().Changed("generations") {
		f.generations = mjpeg.Generations
	}
	if info, err := os.Stat(f.resume); f.state == "" && err == nil && !info.Mode().IsRegular() {
		return usagef("--resume %s: the state cannot be kept there, since it is no regular file; name one with --state",
			f.resume)
	}
	if f.state == "" {
		f.state = f.resume
	}
	return nil
}

// maxGenerations bounds what is asked for by mistake.
const maxGenerations = 1 << 16

// begin is a new search, or one that goes on.
func (f *searchFlags) begin(problem search.Problem) (*search.Search, error) {
	if f.resume != "" {
		data, err := os.ReadFile(f.resume)
		if err != nil {
			return nil, err
		}
		return search.Load(problem, f.resume, data)
	}
	o := search.DefaultOptions(problem)
	if f.example {
		o = mjpeg.Options(f.seed)
	}
	o.Population, o.Seed = f.population, f.seed
	return search.New(problem, o)
}

// run searches and tells what was found.
func (f *searchFlags) run(ctx context.Context, s Streams, path string, problem search.Problem, p *progress) error {
	found, err := f.begin(problem)
	if err != nil {
		return err
	}
	if err := f.explore(ctx, found, p); err != nil {
		return err
	}
	set, err := found.Set()
	if err != nil {
		return err
	}
	if set.N == 0 {
		return fmt.Errorf(
			"none of the %d designs that the search met can be built; allow more with --max-area, or more --generations",
			len(found.Designs()))
	}
	space, err := dse.New(ctx, set)
	if err != nil {
		return err
	}
	p.Done()
	if f.out != "" {
		if strings.HasSuffix(f.out, ".json") {
			err = output.Replace(f.out, set.WriteJSON)
		} else {
			err = writeDesigns(f.out, set, nil)
		}
		if err != nil {
			return err
		}
	}
	return f.tell(s.Out, path, found, space)
}

// saveInterval is how often the state is written while the search goes on; it is written at the end, too, whatever ends
// it.
const saveInterval = 2 * time.Second

// explore runs the search and keeps its state in a file, if one is named.
func (f *searchFlags) explore(ctx context.Context, found *search.Search, p *progress) error {
	if f.state == "" {
		return found.Run(ctx, f.generations, nil, p.Report)
	}
	saved := time.Now()
	err := found.Run(ctx, f.generations, func(*search.Generation) error {
		if time.Since(saved) < saveInterval {
			return nil
		}
		saved = time.Now()
		return output.Replace(f.state, found.Save)
	}, p.Report)
	if saveErr := output.Replace(f.state, found.Save); err == nil {
		err = saveErr
	}
	return err
}

// searchJSON is the object that `search --json` prints.
type searchJSON struct {
	Problem    string         `json:"problem"`
	Options    search.Options `json:"options"`
	Evaluated  int            `json:"evaluated"`
	Impossible int            `json:"impossible"`
	designsJSON
}

func (f *searchFlags) tell(w io.Writer, path string, found *search.Search, space *dse.Space) error {
	a := &designsAnswer{space: space, threshold: dse.DefaultThreshold, bins: 20}
	evaluated := len(found.Designs())
	if f.json {
		return printJSON(w, path, searchJSON{found.Problem().Identity(), found.Options(), evaluated,
			evaluated - space.N, a.json()})
	}
	fmt.Fprintf(w, "%d designs met in %d generations of %d, %d of them impossible\n", evaluated, found.Generations(),
		found.Options().Population, evaluated-space.N)
	return a.print(w, f.top)
}
