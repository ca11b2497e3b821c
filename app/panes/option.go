package panes

import (
	"encoding/json"
	"fmt"
	"strings"

	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/link"

	"github.com/spf13/pflag"
)

// Option is something of type T that can be chosen in a pane; C is all that is chosen there. It is declared once and
// has one name everywhere: the chip and its commands ("heap.color.site"), the field of a session, the flag of the
// command line (--color site).
type Option[C any, T comparable] struct {
	ID     string     // "color"
	Label  string     // what it is about, in menus and help: "colour"
	Step   string     // what Undo calls a change: "colours of the heap"; "" for the label
	Was    []string   // what sessions and flags called it
	Values []Value[T] // to choose from; nil for a value that is free, as a text
	Get    func(c *C) T
	Set    func(c *C, to T)            // may set what depends on it, too
	Check  func(c *C, to T) error      // refuses a free value from a file or a command line; nil for none
	Word   func(c *C) string           // of the chip; nil for the ID of the value
	Has    func(v Value[T]) bool       // tells whether the document has this value; nil for always
	Ready  func(c *C, v Value[T]) bool // tells whether it can be chosen now; nil for always
}

// Value is one that an option can have.
type Value[T any] struct {
	ID     string // "site": in commands, sessions and flags
	Title  string // a line of the list: "Colour by site"
	Is     T
	Was    string // what sessions and flags called it
	Window bool   // only the window has it, not the command line
	Check  bool   // a box stands before it: chosen once more it is taken back, and the list stays open
}

// Declared is an option, whatever its type.
type Declared[C any] interface {
	Name() string
	Chip(c *Chosen[C]) toolbar.Chip
	keep(c *C) any
	names() []string
	restore(c *C, data json.RawMessage)
	flag(c *C, flags *pflag.FlagSet)
}

// Name is the option's ID.
func (o Option[C, T]) Name() string { return o.ID }

// step is what Undo calls a change.
func (o *Option[C, T]) step() string {
	if o.Step == "" {
		return o.Label
	}
	return o.Step
}

// value is the value that an option has, nil when it is none of its values.
func (o *Option[C, T]) value(is T) *Value[T] {
	for i := range o.Values {
		if o.Values[i].Is == is {
			return &o.Values[i]
		}
	}
	return nil
}

// named is the value with a name, today's or an earlier one.
func (o *Option[C, T]) named(name string) *Value[T] {
	for i := range o.Values {
		if v := &o.Values[i]; v.ID == name || v.Was == name && name != "" {
			return v
		}
	}
	return nil
}

// Chip is the option above the picture.
func (o Option[C, T]) Chip(c *Chosen[C]) toolbar.Chip {
	chip := toolbar.Chip{Name: o.ID, Word: o.ID}
	if o.Label != o.ID {
		chip.About = o.Label
	}
	now := o.Get(&c.Now)
	for _, v := range o.Values {
		if o.Has != nil && !o.Has(v) {
			continue
		}
		on := v.Is == now
		if on {
			chip.Word = v.ID
		}
		off := o.Ready != nil && !o.Ready(&c.Now, v)
		to := v.Is
		if on && v.Check {
			to = *new(T)
		}
		chip.List = append(chip.List, toolbar.Choice{ID: v.ID, Title: v.Title, On: on, Off: off, Check: v.Check,
			Run: func() { c.Choose(o.step(), func(all *C) { o.Set(all, to) }) }})
	}
	if o.Word != nil {
		chip.Word = o.Word(&c.Now)
	}
	return chip
}

func (o Option[C, T]) names() []string { return append([]string{o.ID}, o.Was...) }

// keep is what a session says of the option: the name of its value, or a free value itself.
func (o Option[C, T]) keep(c *C) any {
	is := o.Get(c)
	switch any(is).(type) {
	case bool, int, float64, string:
		return is
	}
	if v := o.value(is); v != nil {
		return v.ID
	}
	return is
}

// restore takes up what a session says, as far as it makes sense.
func (o Option[C, T]) restore(c *C, data json.RawMessage) {
	var name string
	if json.Unmarshal(data, &name) == nil {
		if v := o.named(name); v != nil {
			o.Set(c, v.Is)
			return
		}
	}
	var is T
	if json.Unmarshal(data, &is) == nil && o.fits(c, is) == nil {
		o.Set(c, is)
	}
}

// fits refuses a value that is none of the option's.
func (o *Option[C, T]) fits(c *C, is T) error {
	_, isBool := any(is).(bool)
	switch {
	case isBool || o.value(is) != nil:
		return nil
	case o.Check != nil:
		return o.Check(c, is)
	case o.Values == nil:
		return nil
	}
	var names []string
	for _, v := range o.Values {
		names = append(names, v.ID)
	}
	return fmt.Errorf("%v is none of %s", is, strings.Join(names, ", "))
}

// Options are those of a pane, in the order of its chips.
type Options[C any] []Declared[C]

// Keep is what a session says of them.
func (list Options[C]) Keep(c *C) Said {
	out := Said{}
	for _, o := range list {
		out.Put(o.Name(), o.keep(c))
	}
	return out
}

// Restore takes up what Keep said, in this version or an earlier one; what is not said stays.
func (list Options[C]) Restore(c *C, said Said) {
	for _, o := range list {
		for _, name := range o.names() {
			if data, ok := said[name]; ok {
				o.restore(c, data)
				break
			}
		}
	}
}

// Chosen is what is chosen in a pane, with the steps that change it.
type Chosen[C any] struct {
	Readers
	Now     C
	id      shell.Slot
	changed func() // what follows beside redrawing; nil for nothing
}

// NewChosen is what a pane begins with; changed runs after every choice, made, undone or redone.
func NewChosen[C any](b *Base, first C, changed func()) *Chosen[C] {
	return &Chosen[C]{Readers: ReadersOf(b.set), Now: first, id: b.id, changed: changed}
}

// Get is what is chosen, for other panes: they follow it.
func (c *Chosen[C]) Get() *C {
	c.Read()
	return &c.Now
}

// Choose makes an undoable step; name says what it changes. Maps and slices are replaced, never changed.
func (c *Chosen[C]) Choose(name string, change func(*C)) {
	next := c.Now
	change(&next)
	link.Choose(c.set.Link, name, &c.Now, next, c.Follow)
}

// Slide changes what is chosen without a step of its own: the rest of a drag.
func (c *Chosen[C]) Slide(change func(*C)) {
	change(&c.Now)
	c.Follow()
}

// Follow makes what follows from a choice.
func (c *Chosen[C]) Follow() {
	if c.changed != nil {
		c.changed()
	}
	c.set.Redraw(c.id)
	c.Changed()
}

// Commands are the choices of a pane's chips for the palette, under the words of their lists; said is what stands
// before these: "Heap: ".
func (b *Base) Commands(said string, enabled func() bool) (list []shell.Command) {
	for _, c := range b.Chips() {
		for _, o := range c.List {
			if o.ID != "" {
				list = append(list, b.command(said, c.Name, o, enabled))
			}
		}
	}
	return list
}

// command is one choice of a chip.
func (b *Base) command(said, chip string, o toolbar.Choice, enabled func() bool) shell.Command {
	id := string(b.id) + "." + chip + "." + strings.ReplaceAll(o.ID, " ", "-")
	return shell.Command{ID: id, Title: said + strings.ToLower(o.Title[:1]) + o.Title[1:], Enabled: enabled, Run: func() {
		b.Show()
		for _, c := range b.Chips() { // as they are now
			for _, now := range c.List {
				if c.Name == chip && now.ID == o.ID && !now.Off {
					now.Run()
				}
			}
		}
	}}
}
