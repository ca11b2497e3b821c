package designs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"orrery/traceio"
)

// The operations of Optuna's journal that matter here (optuna.storages.JournalStorage, optuna 3 and 4): one JSON object
// a line.
const (
	createStudy   = 0
	deleteStudy   = 1
	createTrial   = 4
	setParam      = 5
	setValues     = 6
	setUserAttr   = 8
	setSystemAttr = 9
)

// trialStates are Optuna's states by their numbers in a journal.
var trialStates = []string{"RUNNING", "COMPLETE", "PRUNED", "FAIL", "WAITING"}

// operation is one line of a journal.
type operation struct {
	Op           *int              `json:"op_code"`
	Study        int               `json:"study_id"`
	Name         string            `json:"study_name"`
	Directions   []int             `json:"directions"` // 2 is maximised
	Trial        int               `json:"trial_id"`
	Param        string            `json:"param_name"`
	Internal     any               `json:"param_value_internal"`
	Distribution string            `json:"distribution"` // JSON in a string
	State        *int              `json:"state"`
	Value        any               `json:"value"`
	Values       []any             `json:"values"`
	UserAttr     map[string]any    `json:"user_attr"`
	SystemAttr   map[string]any    `json:"system_attr"`
	Params       map[string]any    `json:"params"` // of a trial that was added whole
	Of           map[string]string `json:"distributions"`
	UserAttrs    map[string]any    `json:"user_attrs"`
	SystemAttrs  map[string]any    `json:"system_attrs"`
}

// journalStudy and journalTrial are what a journal has told so far.
type journalStudy struct {
	name       string
	directions []int
	trials     []int
	deleted    bool
}

type journalTrial struct {
	state  int
	values []any
	cells  map[string]string // parameters and attributes by their titles
}

// journal is Optuna's journal being read.
type journal struct {
	studies []journalStudy
	trials  []journalTrial
	names   map[string]bool
	memory  int64 // bytes that all of it takes
}

// maxOperation bounds one operation; as values it takes up to 20 times as much. The others are what a study or a trial
// takes by itself, and what a cell or value of it.
const (
	maxOperation = 16 << 20
	trialCost    = 256
	valueCost    = 128
)

// isJournal tells whether a file begins like a journal of Optuna.
func isJournal(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line[:min(len(line), 200)], []byte(`"op_code"`))
}

// readJournal replays a journal of Optuna: each trial of the studies that it leaves becomes a row.
func readJournal(r *bufio.Reader, name string) (*Table, error) {
	d := newDocument(r, name, "optuna")
	j := journal{names: map[string]bool{}}
	for n := 1; ; n++ {
		var o operation
		d.text.left = maxOperation
		err := d.in.Decode(&o)
		var kind *json.UnmarshalTypeError
		switch {
		case err == io.EOF:
			return d.Table, j.table(d, nil)
		case errors.As(err, &kind): // a later operation of a newer Optuna, perhaps
			d.reject(Rejected{Row: n, Line: n, Column: kind.Field, Reason: "this operation of the journal cannot be read"})
		case err != nil:
			d.reject(Rejected{Row: n, Line: n, Reason: broken("journal", err)})
			return d.Table, j.table(d, err)
		case o.Op != nil:
			if j.replay(&o); j.memory > maxMemory {
				return nil, &traceio.Error{File: name,
					Msg:  fmt.Sprintf("the first %d operations of the journal take more than %d MiB of memory", n, maxMemory>>20),
					Hint: "export the study as JSON: optuna trials -f json"}
			}
		}
	}
}

// replay does what an operation says; what it says of studies and trials that there are not is nothing.
func (j *journal) replay(o *operation) {
	if *o.Op == createStudy {
		if !j.names[o.Name] {
			j.names[o.Name] = true
			j.studies = append(j.studies, journalStudy{name: o.Name, directions: o.Directions})
			j.memory += trialCost + int64(len(o.Name)+8*len(o.Directions))
		}
		return
	}
	if *o.Op == deleteStudy || *o.Op == createTrial {
		if o.Study < 0 || o.Study >= len(j.studies) || j.studies[o.Study].deleted {
			return
		}
		s := &j.studies[o.Study]
		if *o.Op == deleteStudy {
			s.deleted = true
			delete(j.names, s.name)
			return
		}
		s.trials = append(s.trials, len(j.trials))
		j.trials = append(j.trials, o.whole())
		j.memory += trialCost + o.cost()
		return
	}
	if o.Trial < 0 || o.Trial >= len(j.trials) {
		return
	}
	t := &j.trials[o.Trial]
	before := len(t.cells)
	switch *o.Op {
	case setParam:
		t.cells["params_"+o.Param] = chosen(o.Internal, o.Distribution)
	case setValues:
		t.take(o)
	case setUserAttr, setSystemAttr:
		t.attributes(o)
	}
	if len(t.cells) > before || *o.Op == setValues {
		j.memory += o.cost()
	}
}

// cost is what the values of an operation take.
func (o *operation) cost() int64 {
	n, size := 1+len(o.Values), len(o.Param)+len(o.Distribution)
	add := func(x any) {
		switch v := x.(type) {
		case string:
			size += len(v)
		case json.Number:
			size += len(v)
		}
	}
	for _, list := range []map[string]any{o.UserAttr, o.UserAttrs, o.SystemAttr, o.SystemAttrs, o.Params} {
		n += len(list)
		for name, x := range list {
			size += len(name)
			add(x)
		}
	}
	for _, x := range o.Values {
		add(x)
	}
	return int64(valueCost*n + size)
}

// whole is a new trial, with all that its operation tells of it.
func (o *operation) whole() journalTrial {
	t := journalTrial{cells: map[string]string{}}
	t.take(o)
	if t.values == nil && o.Value != nil {
		t.values = []any{o.Value}
	}
	for name, x := range o.Params {
		t.cells["params_"+name] = chosen(x, o.Of[name])
	}
	t.attributes(o)
	return t
}

// take sets state and values as far as they are told.
func (t *journalTrial) take(o *operation) {
	if o.State != nil {
		t.state = *o.State
	}
	if o.Values != nil {
		t.values = o.Values
	}
}

// attributes takes attributes that are single values.
func (t *journalTrial) attributes(o *operation) {
	for i, list := range []map[string]any{o.UserAttr, o.UserAttrs, o.SystemAttr, o.SystemAttrs} {
		for name, x := range list {
			switch x.(type) {
			case map[string]any, []any:
			default:
				t.cells[[]string{"user_attrs_", "user_attrs_", "system_attrs_", "system_attrs_"}[i]+name] = text(x)
			}
		}
	}
}

// chosen is a parameter's value: a journal has the number of a choice where there are choices.
func chosen(x any, distribution string) string {
	var of struct {
		Attributes struct {
			Choices []any `json:"choices"`
		} `json:"attributes"`
	}
	in := json.NewDecoder(bytes.NewReader([]byte(distribution)))
	in.UseNumber()
	if in.Decode(&of) == nil && of.Attributes.Choices != nil {
		if f, err := strconv.ParseFloat(text(x), 64); err == nil && f >= 0 && f < float64(len(of.Attributes.Choices)) {
			return text(of.Attributes.Choices[int(f)])
		}
	}
	return text(x)
}

// table makes rows of the trials of the studies that there are. Those with other objectives than the study with most
// trials are rejected. broke is what ended the journal, nil for its end.
func (j *journal) table(d *document, broke error) error {
	var main *journalStudy
	with := 0
	for i := range j.studies {
		if s := &j.studies[i]; !s.deleted && len(s.trials) > 0 {
			if with++; main == nil || len(s.trials) > len(main.trials) {
				main = s
			}
		}
	}
	if main == nil {
		e := &traceio.Error{File: d.Name, Msg: "the journal of Optuna has no trials", Hint: "was it cut?"}
		return e.Because(broke)
	}
	for _, s := range j.studies {
		for number, t := range s.trials {
			switch {
			case s.deleted:
				continue
			case !slices.Equal(s.directions, main.directions):
				d.rows++
				d.reject(Rejected{Row: d.rows, Reason: fmt.Sprintf("it belongs to study %s, which has other objectives than %s",
					clipped(s.name), clipped(main.name))})
				continue
			}
			cells := [][2]string{{"number", strconv.Itoa(number)}}
			if with > 1 {
				cells = [][2]string{{"study", s.name}, {"trial_id", strconv.Itoa(t)}}
			}
			if err := d.trial(&j.trials[t], cells, len(main.directions)); err != nil {
				return err
			}
		}
	}
	d.Description = &Description{Name: main.name}
	for i, way := range main.directions {
		d.Description.Columns = append(d.Description.Columns, ColumnRole{Title: "values_" + strconv.Itoa(i),
			Role: IsObjective, Maximise: way == 2})
	}
	return d.complete()
}

// trial makes a row of a trial, which begins with some cells.
func (d *document) trial(t *journalTrial, cells [][2]string, objectives int) error {
	d.cells = map[int]string{}
	d.rows++
	state := strconv.Itoa(t.state)
	if t.state >= 0 && t.state < len(trialStates) {
		state = trialStates[t.state]
	}
	cells = append(cells, [2]string{"state", state})
	for i := range objectives {
		x := ""
		if i < len(t.values) {
			x = text(t.values[i])
		}
		cells = append(cells, [2]string{"values_" + strconv.Itoa(i), x})
	}
	for _, title := range slices.Sorted(maps.Keys(t.cells)) {
		cells = append(cells, [2]string{title, t.cells[title]})
	}
	for _, c := range cells {
		if err := d.put(c[0], c[1]); err != nil {
			return err
		}
	}
	return d.commit()
}
