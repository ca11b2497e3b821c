package designs

import (
	"regexp"
	"slices"
	"strings"
)

// Where a title names what its column is about: process:DCT, utilization of mP, reading by ASIP.
var (
	aboutTitle = regexp.MustCompile(`^(?:.*:|.* (?:of|by|on) )\s*(\S.*)$`)
	instance   = regexp.MustCompile(`^(.*\S)[-_ #]+\d+$`)
	arrows     = []string{"->", "→", ">", " to "}
)

// AboutOf is what a column is about by its title: DCT for process:DCT and for execution of DCT, else the title itself.
func AboutOf(title string) string {
	if m := aboutTitle.FindStringSubmatch(title); m != nil {
		return m[1]
	}
	return strings.TrimSpace(title)
}

// mapped is the description with the platform that its columns of processes and channels speak of, where nobody
// described one: their processes, the channels between them, the processors that they are bound to, and the memories,
// to which no process is bound. The type of ASIP-2 is ASIP. What the columns are about is their Of, or else told by
// their titles.
func (a *assembly) mapped(d *Description) (*Description, error) {
	if d.Platform != nil || len(a.processes)+len(a.channels) == 0 {
		return d, nil
	}
	out, p := *d, new(Platform)
	out.Columns, out.Platform = slices.Clone(d.Columns), p
	for _, i := range a.processes {
		r := out.Of(a.Columns[i].Title)
		if r.Of == "" {
			r.Of = AboutOf(r.Title)
		}
		if p.process(r.Of) >= 0 {
			return nil, a.misfit("column %s is a process %s that another column is too", r.Title, r.Of)
		}
		p.Processes = append(p.Processes, Process{Name: r.Of})
		if err := a.components(i, &p.Processors, p); err != nil {
			return nil, err
		}
	}
	for _, i := range a.channels {
		r := out.Of(a.Columns[i].Title)
		if r.Of == "" {
			r.Of = AboutOf(r.Title)
		}
		c, ok := p.between(r.Of)
		if !ok {
			return nil, a.misfit(
				"column %s is a channel %s, which is not FROM>TO with two of the processes that other columns are", r.Title, r.Of)
		}
		p.Channels = append(p.Channels, c)
		if err := a.components(i, &p.Memories, p); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// mostComponents is how many processors and memories a table may speak of: what has more is no mapping.
const mostComponents = 4096

// components adds those that a column names and that are not there yet.
func (a *assembly) components(column int, to *[]Component, p *Platform) error {
	c := &a.Columns[column]
	for _, text := range c.Texts {
		switch {
		case text == "" || p.component(text) >= 0:
			continue
		case p.Components() >= mostComponents:
			return a.misfit("column %s has %d different values, which cannot all be processors or memories",
				c.Title, len(c.Texts))
		}
		kind := text
		if m := instance.FindStringSubmatch(text); m != nil {
			kind = m[1]
		}
		*to = append(*to, Component{Name: text, Type: kind})
	}
	return nil
}

// between is the channel that a name of its ends means; several between the same two have a number behind.
func (p *Platform) between(name string) (Channel, bool) {
	for _, arrow := range arrows {
		from, to, ok := strings.Cut(name, arrow)
		if !ok {
			continue
		}
		c := Channel{Name: name, From: p.process(strings.TrimSpace(from)), To: p.process(strings.TrimSpace(to))}
		if m := instance.FindStringSubmatch(to); c.To < 0 && m != nil {
			c.To = p.process(strings.TrimSpace(m[1]))
		}
		return c, c.From >= 0 && c.To >= 0
	}
	return Channel{}, false
}
