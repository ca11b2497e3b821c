package cli

import (
	"context"
	"slices"
	"strings"

	"orrery/analysis/dse"
	"orrery/views/design"
	"orrery/views/dsetree"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/spread"
	"orrery/views/subspaces"
)

// designView is a picture of a design space beside its tree.
type designView struct {
	name     string
	pictures []string // its own pictures, nil where there is one
	draw     func(f *designsPicture, ctx context.Context, d *drawnDesigns, picture int) (scene.Drawing, error)
}

// drawnDesigns is what every picture of designs is made of.
type drawnDesigns struct {
	space  *dse.Space
	filter *dse.Filter
	theme  palette.Theme
	size   scene.Size
}

// designViews are the pictures that --picture names, the first by default.
var designViews = []designView{
	{"tree", nil, (*designsPicture).drawTree},
	{"subspaces", hyphened(subspaces.Pictures), (*designsPicture).drawSubspaces},
	{"spread", hyphened(spread.Pictures), (*designsPicture).drawSpread},
	{"design", hyphened(design.Pictures), (*designsPicture).drawDesign},
}

// hyphened are names as a command line has them.
func hyphened(names []string) (out []string) {
	for _, name := range names {
		out = append(out, strings.ToLower(strings.ReplaceAll(name, " ", "-")))
	}
	return out
}

// designViewNames says what --picture takes.
func designViewNames() string {
	var out []string
	for _, v := range designViews {
		name := v.name
		if v.pictures != nil {
			name += ", or with a picture behind a colon: " + strings.Join(v.pictures, ", ")
		}
		out = append(out, name)
	}
	return strings.Join(out, "; ")
}

// chosenView is the view that --picture names with the number of its picture.
func (f *designsPicture) chosenView() (*designView, int, error) {
	name, picture, told := strings.Cut(f.view, ":")
	for i := range designViews {
		v := &designViews[i]
		if v.name != name {
			continue
		}
		at := slices.Index(v.pictures, picture)
		if told && at < 0 {
			break
		}
		return v, max(0, at), nil
	}
	return nil, 0, usagef("--picture %q is none of %s", f.view, designViewNames())
}

// draw is the picture of a design space.
func (f *designsPicture) draw(ctx context.Context, s *dse.Space, theme palette.Theme,
	size scene.Size) (scene.Drawing, error) {
	var none scene.Drawing
	view, picture, err := f.chosenView()
	if err != nil {
		return none, err
	}
	filter, err := dse.ParseFilter(s, f.where)
	if err != nil {
		return none, usageError{err}
	}
	front := slices.Index(fronts, f.front)
	if front < 0 {
		return none, usagef("--show %q is none of %s", f.front, strings.Join(fronts, ", "))
	}
	filter.Show(dse.Show(front))
	return view.draw(f, ctx, &drawnDesigns{s, filter, theme, size}, picture)
}

// chosen are the subspaces of --compare, nil for none.
func (f *designsPicture) chosen(s *dse.Space) ([]int32, error) {
	list, err := comparedSubspaces(s, f.compare)
	if err == nil && len(list) > subspaces.Most {
		return nil, usagef("--compare takes %d subspaces; a picture tells %d apart", len(list), subspaces.Most)
	}
	return list, err
}

// suggestedSubspaces is how many subspaces are drawn where --compare names none, as in the window.
const suggestedSubspaces = 5

func (f *designsPicture) drawSubspaces(_ context.Context, d *drawnDesigns, picture int) (scene.Drawing, error) {
	list, err := f.chosen(d.space)
	if err != nil {
		return scene.Drawing{}, err
	}
	if list == nil {
		list = subspaces.Suggest(d.space, suggestedSubspaces)
	}
	return subspaces.Scene(subspaces.State{Theme: d.theme, Space: d.space, Compared: d.space.Compare(list),
		Picture: subspaces.Picture(picture), Pair: [2]int{-1, -1},
		Exact: !f.normalised, Empty: "There is no subspace with designs."}, d.size), nil
}

func (f *designsPicture) drawSpread(ctx context.Context, d *drawnDesigns, picture int) (scene.Drawing, error) {
	table, err := spread.NewTable(ctx, d.space)
	if err != nil {
		return scene.Drawing{}, err
	}
	state := spread.State{Theme: d.theme, Table: table, Picture: spread.Picture(picture), Carried: -1,
		Growth: d.space.VolumeByGeneration(), Now: max(0, d.space.Generations.Count-1)}
	if d.filter.Active() {
		state.Pass = d.filter.Pass()
	}
	look, err := f.look(d.space)
	if err != nil {
		return scene.Drawing{}, err
	}
	for _, pair := range f.channels {
		if channel, _, _ := strings.Cut(pair, "="); channel != dsetree.ChannelNames[dsetree.Face] {
			return scene.Drawing{}, usagef("--channels %q shows nothing here: --picture spread has the %s alone", pair,
				dsetree.ChannelNames[dsetree.Face])
		}
	}
	state.Color = max(0, look.Of[dsetree.Face])
	return spread.Scene(state, d.size), nil
}

// point is the design of --design, or the first of the global front.
func (f *designsPicture) point(s *dse.Space) (int32, error) {
	if f.design == "" {
		return int32(slices.Index(s.Global, true)), nil
	}
	for p := range s.N {
		if s.Label(p) == f.design {
			return int32(p), nil
		}
	}
	return dse.None, usagef("--design: there is no design %q; orrery designs lists them by name", f.design)
}

func (f *designsPicture) drawDesign(ctx context.Context, d *drawnDesigns, picture int) (scene.Drawing, error) {
	p, err := f.point(d.space)
	if err != nil {
		return scene.Drawing{}, err
	}
	details, err := design.NewCase(ctx, d.space)
	if err != nil {
		return scene.Drawing{}, err
	}
	return design.Scene(design.State{Theme: d.theme, Case: details, Point: p, Picture: design.Picture(picture),
		Exact: !f.normalised, Empty: "There is no design."}, d.size), nil
}
