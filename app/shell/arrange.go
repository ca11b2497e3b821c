package shell

import (
	"encoding/json"
	"maps"
	"slices"

	"orrery/app/shell/saved"
)

// arrangement is how the panes lie now, for a session and for the next document of this kind.
func (d *dock) arrangement() saved.Arrangement {
	a := saved.Arrangement{Maximised: string(d.full)}
	if data, err := json.Marshal(d.whole()); err == nil {
		a.Panes = data
	}
	for side, f := range d.fold {
		if f != automatic {
			if a.Folds == nil {
				a.Folds = map[string]bool{}
			}
			a.Folds[side] = f == folded
		}
	}
	for _, s := range d.order {
		if d.tabs[s].pane == d.ui.stage.Active() {
			a.Active = string(s)
		}
		if o := d.own[s]; o != nil {
			a.Own = append(a.Own, o.saved())
		}
	}
	return a
}

// arrange takes an arrangement over, as far as it fits the document.
func (d *dock) arrange(a saved.Arrangement) {
	if n, err := restore(string(a.Panes), d.order); err == nil && n != nil {
		if d.wide != nil {
			d.wide = n
		} else {
			d.root = n
		}
	}
	d.full = ""
	if slices.Contains(d.order, Slot(a.Maximised)) {
		d.full = Slot(a.Maximised)
	}
	clear(d.fold)
	for side, is := range maps.All(a.Folds) {
		d.fold[side] = open
		if is {
			d.fold[side] = folded
		}
	}
	d.takeIn()
	for _, o := range a.Own {
		if slices.Contains(d.order, Slot(o.Slot)) && Slot(o.Slot) != d.full {
			d.takeOut(Slot(o.Slot), o)
		}
	}
	d.build()
}

// load takes over what was kept of an earlier document of this kind. What is shown alone,
// or though it is empty, is that document's own affair.
func (d *dock) load(kept string) {
	var a saved.Arrangement
	if json.Unmarshal([]byte(kept), &a) == nil && len(a.Panes) > 0 {
		a.Maximised = ""
		d.arrange(a)
		d.root.walk(func(n *node) { n.Asked = "" })
		d.build()
	}
}

// pref is under which name the arrangement is kept: recordings, design spaces and graphs each have theirs; the
// panes say which it is.
func (d *dock) pref() string {
	name := prefArrangement
	for _, s := range d.order {
		name += "." + string(s)
	}
	return name
}

// save gives the arrangement as text.
func (d *dock) save() string {
	data, err := json.Marshal(d.arrangement())
	if err != nil {
		return ""
	}
	return string(data)
}
