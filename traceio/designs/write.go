package designs

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
)

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// sheet is a set as titled columns of text.
type sheet struct {
	roles []ColumnRole
	cell  []func(i int) string
}

func (t *sheet) add(r ColumnRole, cell func(i int) string) {
	for base, n := r.Title, 2; slices.ContainsFunc(t.roles, func(o ColumnRole) bool { return o.Title == r.Title }); n++ {
		r.Title = base + " (" + strconv.Itoa(n) + ")"
	}
	t.roles, t.cell = append(t.roles, r), append(t.cell, cell)
}

// sheet lays a set out in columns.
func (s *Set) sheet() *sheet {
	t := new(sheet)
	t.add(ColumnRole{Title: "id", Role: IsID}, s.Label)
	for j := range s.Parameters {
		p := &s.Parameters[j]
		t.add(ColumnRole{Title: p.Name, Role: IsParameter, Values: p.Values}, func(i int) string { return p.Values[p.At[i]] })
	}
	for j := range s.Objectives {
		o := &s.Objectives[j]
		t.add(ColumnRole{Title: o.Name, Role: IsObjective, Unit: o.Unit, Maximise: o.Maximise, Architecture: o.Architecture},
			func(i int) string { return formatNumber(o.Values[i]) })
	}
	for j := range s.Secondary {
		o := &s.Secondary[j]
		t.add(ColumnRole{Title: o.Name, Role: IsSecondary, Unit: o.Unit, Kind: o.Kind, Of: s.of(o)}, func(i int) string {
			if o.Values[i] != o.Values[i] {
				return ""
			}
			return formatNumber(o.Values[i])
		})
	}
	if s.Generations.Known() {
		t.add(ColumnRole{Title: "generations", Role: IsGeneration}, func(i int) string {
			var words []string
			for _, g := range s.Generations.Of(i) {
				words = append(words, strconv.Itoa(int(g)))
			}
			return strings.Join(words, " ")
		})
	}
	if m := s.Mapping; m != nil && s.Platform != nil {
		for j, column := range m.Process {
			t.add(ColumnRole{Title: "process:" + s.Platform.Processes[j].Name, Role: IsProcess,
				Of: s.Platform.Processes[j].Name}, s.bound(column))
		}
		for j, column := range m.Channel {
			t.add(ColumnRole{Title: "channel:" + s.Platform.Channels[j].Name, Role: IsChannel, Of: s.Platform.Channels[j].Name},
				s.bound(column))
		}
	}
	return t
}

func (s *Set) bound(column []int16) func(int) string {
	return func(i int) string {
		if column[i] == Unmapped {
			return ""
		}
		return s.Platform.Component(int(column[i])).Name
	}
}

// of names what a secondary objective is about.
func (s *Set) of(o *Secondary) string {
	switch {
	case o.Kind == Plain || s.Platform == nil:
		return ""
	case o.Kind == Utilization || o.Kind >= ReadTime:
		return s.Platform.Component(o.Of).Name
	}
	return s.Platform.Processes[o.Of].Name
}

// Describe is the description that goes with the set's table.
func (s *Set) Describe() *Description {
	d := &Description{Name: s.Name, Note: s.Note, Columns: s.sheet().roles, Platform: s.Platform}
	for _, combo := range s.Feasible {
		texts := make([]string, len(combo))
		for j, v := range combo {
			texts[j] = s.Parameters[j].Values[v]
		}
		d.Feasible = append(d.Feasible, texts)
	}
	return d
}

// WriteDescription writes Describe as JSON.
func (s *Set) WriteDescription(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(s.Describe())
}

// WriteCSV writes the points as CSV with titles, those of points only or all when it is nil. With Describe beside it
// under the file's name and .json it reads back as the same set.
func (s *Set) WriteCSV(w io.Writer, points []int32) error {
	t := s.sheet()
	out := csv.NewWriter(w)
	line := make([]string, len(t.roles))
	for j, r := range t.roles {
		line[j] = r.Title
	}
	out.Write(line)
	write := func(i int) error {
		for j, cell := range t.cell {
			line[j] = cell(i)
		}
		return out.Write(line)
	}
	if err := s.each(points, write); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// WriteJSON writes all points with their description as one JSON object, which reads back as the same set.
func (s *Set) WriteJSON(w io.Writer) error {
	t := s.sheet()
	out := bufio.NewWriter(w)
	description, err := json.Marshal(s.Describe())
	if err != nil {
		return err
	}
	var titles []string
	for _, r := range t.roles {
		titles = append(titles, r.Title)
	}
	head, err := json.Marshal(titles)
	if err != nil {
		return err
	}
	out.WriteString("{\"description\":")
	out.Write(description)
	out.WriteString(",\n\"columns\":")
	out.Write(head)
	out.WriteString(",\n\"rows\":[")
	line := make([]string, len(t.cell))
	err = s.each(nil, func(i int) error {
		for j, cell := range t.cell {
			line[j] = cell(i)
		}
		data, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		_, err = out.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

func (s *Set) each(points []int32, write func(int) error) error {
	if points == nil {
		for i := range s.N {
			if err := write(i); err != nil {
				return err
			}
		}
		return nil
	}
	for _, p := range points {
		if err := write(int(p)); err != nil {
			return err
		}
	}
	return nil
}
