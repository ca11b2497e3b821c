package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"orrery/traceio"
)

// The first fields of a state file.
const (
	stateFormat  = "orrery search"
	stateVersion = 1
)

// state is a search as a file. The parents of the next generation are not in it: they follow from the generations.
type state struct {
	Format      string     `json:"format"`
	Version     int        `json:"version"`
	Problem     string     `json:"problem"`
	Options     Options    `json:"options"`
	Random      []byte     `json:"random"`
	Generations [][]int    `json:"generations"` // by generation, individuals as indices into designs
	Designs     []designed `json:"designs"`     // in the order of their first generation
}

type designed struct {
	Genome     Genome    `json:"genome"`
	Objectives []float64 `json:"objectives,omitempty"`
	Violation  float64   `json:"violation,omitempty"`
	Secondary  []float64 `json:"secondary,omitempty"`
}

// Save writes the search as it stands to a file that Load reads back.
func (s *Search) Save(w io.Writer) error {
	random, err := s.random.MarshalBinary()
	if err != nil {
		return err
	}
	out := state{stateFormat, stateVersion, s.problem.Identity(), s.options, random, s.generations, nil}
	for _, d := range s.designs {
		out.Designs = append(out.Designs, designed{d.Genome, d.Result.Objectives, d.Result.Violation, d.Result.Secondary})
	}
	return json.NewEncoder(w).Encode(out)
}

// Load reads a saved search of the problem given, which goes on as the saved one would have. name stands in errors,
// which are *traceio.Error.
func Load(p Problem, name string, data []byte) (*Search, error) {
	in, err := parseState(data)
	if err != nil {
		return nil, refuse(name, err)
	}
	if in.Problem != p.Identity() {
		return nil, &traceio.Error{File: name, Offset: -1,
			Msg:  fmt.Sprintf("the state is of a search over %q, and this one is over %q", in.Problem, p.Identity()),
			Hint: "give the recording and the options with which it was begun, or begin anew without it"}
	}
	s, err := New(p, in.Options)
	if err == nil {
		err = s.restore(in)
	}
	if err != nil {
		return nil, refuse(name, err)
	}
	return s, nil
}

func refuse(name string, err error) error {
	at := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) {
		at = syntax.Offset
	} else if errors.As(err, &kind) {
		at = kind.Offset
	}
	return &traceio.Error{File: name, Offset: at, Msg: "this is no state of a search that can go on: " + err.Error(),
		Hint: "begin anew without it", Err: err}
}

func parseState(data []byte) (*state, error) {
	var in state
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Format != stateFormat:
		return nil, fmt.Errorf("its format is %q, not %q", in.Format, stateFormat)
	case in.Version != stateVersion:
		return nil, fmt.Errorf("its version is %d, and this program knows %d", in.Version, stateVersion)
	}
	return &in, nil
}

// restore does what the search did, without evaluating.
func (s *Search) restore(in *state) error {
	s.random = new(rand.PCG)
	if err := s.random.UnmarshalBinary(in.Random); err != nil {
		return fmt.Errorf("the random numbers' state is damaged: %w", err)
	}
	for i, d := range in.Designs {
		if err := s.add(d); err != nil {
			return fmt.Errorf("design %d: %w", i, err)
		}
	}
	met := 0
	for n, individual := range in.Generations {
		if len(individual) != s.options.Population {
			return fmt.Errorf("generation %d has %d individuals, not %d", n, len(individual), s.options.Population)
		}
		for _, i := range individual {
			if i < 0 || i >= len(s.designs) || i > met {
				return fmt.Errorf("generation %d has design %d before it was evaluated", n, i)
			}
			met = max(met, i+1)
		}
		s.succeed(individual)
	}
	if met != len(s.designs) {
		return fmt.Errorf("%d designs belong to no generation", len(s.designs)-met)
	}
	return nil
}

// add takes a design of a state.
func (s *Search) add(d designed) error {
	genes := s.problem.Genes()
	if len(d.Genome) != len(genes) {
		return fmt.Errorf("%d genes, where %d belong", len(d.Genome), len(genes))
	}
	for j, v := range d.Genome {
		if int(v) >= genes[j].Values {
			return fmt.Errorf("gene %s is %d, and it goes to %d", genes[j].Name, v, genes[j].Values-1)
		}
	}
	r := Result{d.Objectives, d.Violation, d.Secondary}
	if err := sound(r, s.problem.Objectives()); err != nil {
		return err
	}
	if want := s.problem.Secondary(); r.Possible() && len(r.Secondary) != want {
		return fmt.Errorf("%d secondary numbers, where %d belong", len(r.Secondary), want)
	}
	if _, twice := s.index[key(d.Genome)]; twice {
		return errors.New("it is there twice")
	}
	s.index[key(d.Genome)] = len(s.designs)
	s.designs = append(s.designs, Design{d.Genome, r})
	return nil
}
