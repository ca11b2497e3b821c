package designs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Role says what a column means.
type Role uint8

// The roles of a column.
const (
	Ignore       Role = iota
	IsParameter       // makes subspaces
	IsObjective       // primary
	IsSecondary       // a number shown on demand
	IsGeneration      // one generation, or several between blanks
	IsID              // a name
	IsIndividual      // what makes it the same point when met again
	IsProcess         // the processor that process Of is bound to
	IsChannel         // the processor or memory that channel Of is bound to
	IsState           // whether the evaluation succeeded
)

var roleNames = [...]string{"ignore", "parameter", "objective", "secondary", "generation", "id", "individual",
	"process", "channel", "state"}

// String is the role's name in descriptions: "parameter".
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "unknown"
}

// ParseRole reads a role's name.
func ParseRole(name string) (Role, error) {
	if i := slices.Index(roleNames[:], strings.ToLower(strings.TrimSpace(name))); i >= 0 {
		return Role(i), nil
	}
	return 0, fmt.Errorf("there is no role %q; the roles are %s", name, strings.Join(roleNames[:], ", "))
}

// Roles are all roles, for a choice among them.
func Roles() []Role {
	out := make([]Role, len(roleNames))
	for i := range out {
		out[i] = Role(i)
	}
	return out
}

// MarshalText writes the role's name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the role's name.
func (r *Role) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRole(string(text))
	return err
}

// MarshalText writes the kind's name.
func (k SecondaryKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name.
func (k *SecondaryKind) UnmarshalText(text []byte) error {
	i := slices.Index(secondaryNames[:], strings.ToLower(string(text)))
	if i < 0 {
		return fmt.Errorf("there is no kind %q of secondary objective; the kinds are %s", text,
			strings.Join(secondaryNames[:], ", "))
	}
	*k = SecondaryKind(i)
	return nil
}

// ColumnRole is what one column means.
type ColumnRole struct {
	Title        string        `json:"title"`
	Role         Role          `json:"role"`
	Name         string        `json:"name,omitempty"` // shown instead of the title
	Unit         string        `json:"unit,omitempty"`
	Maximise     bool          `json:"maximise,omitempty"`
	Architecture bool          `json:"architecture,omitempty"` // an objective that depends on the parameters only
	Kind         SecondaryKind `json:"kind,omitempty"`         // of a secondary objective
	// the process, channel or component that it is about, by name
	Of     string   `json:"of,omitempty"`
	Values []string `json:"values,omitempty"` // of a parameter, in the order of its level; others follow
}

// Description is the small file beside a table that says what its columns mean: JSON under the table's name with .json
// behind it. All of it may be left out and is guessed then.
type Description struct {
	Name       string       `json:"name,omitempty"`
	Note       string       `json:"note,omitempty"`
	Columns    []ColumnRole `json:"columns,omitempty"`    // parameters stand in the order of their levels
	Population int          `json:"population,omitempty"` // rows a generation, where no column tells generations
	// combinations of parameter values, in the order of the parameters' columns
	Feasible [][]string `json:"feasible,omitempty"`
	Platform *Platform  `json:"platform,omitempty"`
}

// ParseDescription reads a description. Unknown members are refused by name.
func ParseDescription(data []byte) (*Description, error) {
	in := json.NewDecoder(strings.NewReader(string(data)))
	in.DisallowUnknownFields()
	d := new(Description)
	if err := in.Decode(d); err != nil {
		return nil, fmt.Errorf("the description cannot be read: %w", err)
	}
	return d, d.check()
}

// check looks at a description from a file.
func (d *Description) check() error {
	if len(d.Columns) > maxColumns {
		return fmt.Errorf("the description has %d columns; a table has at most %d", len(d.Columns), maxColumns)
	}
	return d.Platform.check()
}

// check looks at the indexes of a platform from a file; a nil one is fine.
func (p *Platform) check() error {
	if p == nil {
		return nil
	}
	for _, c := range p.Channels {
		if c.From < 0 || c.To < 0 || c.From >= len(p.Processes) || c.To >= len(p.Processes) {
			return fmt.Errorf("channel %s goes from process %d to %d, but there are %d processes", c.Name, c.From,
				c.To, len(p.Processes))
		}
	}
	if n := max(p.Components(), len(p.Processes), len(p.Channels)); n > 1<<14 {
		return fmt.Errorf("a platform of %d processes, channels or components is beyond all reason", n)
	}
	return nil
}

// Of is the column of a title in the description, nil when it is not there.
func (d *Description) Of(title string) *ColumnRole {
	for i := range d.Columns {
		if d.Columns[i].Title == title {
			return &d.Columns[i]
		}
	}
	return nil
}

// Override gives columns the roles of list, in the order of the table's columns. Titles may differ in case. The error
// names a title that the table does not have.
func (d *Description) Override(t *Table, list []ColumnRole) error {
	for _, r := range list {
		c := t.Column(r.Title)
		if c == nil {
			return fmt.Errorf("there is no column %q; the columns are %s", r.Title, t.titles())
		}
		r.Title = c.Title
		if was := d.Of(c.Title); was != nil {
			*was = r
		} else {
			d.Columns = append(d.Columns, r)
		}
	}
	return nil
}

// titles lists the first columns for people.
func (t *Table) titles() string {
	var out []string
	for i := range t.Columns {
		if i == 20 {
			out = append(out, fmt.Sprintf("and %d more", len(t.Columns)-i))
			break
		}
		out = append(out, t.Columns[i].Title)
	}
	return strings.Join(out, ", ")
}
