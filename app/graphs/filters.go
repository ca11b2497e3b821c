package graphs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"orrery/analysis/depgraph/filter"
	"orrery/app/output"
)

// toldFilters are the filters that were stopped in the last drawing, and the one that the window's notice names.
type toldFilters struct {
	stopped map[string]bool
	named   string
}

// tellStopped says which filters were stopped in a drawing that were not in the one before. A notice of one that is
// stopped no more is replaced, by that of another one or by a word that none is.
func (e *Explorer) tellStopped() {
	results, before := e.results(), e.told.stopped
	if results == nil {
		return
	}
	now, said, rest := map[string]bool{}, false, ""
	tell := map[string]string{}
	for i, r := range results {
		if r.Err == nil {
			continue
		}
		f := e.shown.filters[i]
		key := f.Name + "\x00" + f.Script
		tell[key] = fmt.Sprintf("The filter %q does not take part. %s", f.Name, stoppedWords(r.Err))
		if now[key] = true; !before[key] {
			e.host.Failed(tell[key])
			e.told.named, said = key, true
		}
		rest = key
	}
	e.told.stopped = now
	switch {
	case said || e.told.named == "" || now[e.told.named]:
	case rest != "":
		e.told.named = rest
		e.host.Failed(tell[rest])
	default:
		e.told.named = ""
		e.host.Notice("No filter is stopped any more.")
	}
}

// recallFilters brings back the file's filters.
func (e *Explorer) recallFilters() {
	for _, line := range e.host.Recall("graph.filters") {
		var list []filter.Filter
		if json.Unmarshal([]byte(line), &list) == nil && len(list) > 0 {
			e.shown.filters = list
		}
	}
}

// keepFilters keeps the list with the file.
func (e *Explorer) keepFilters() {
	if e.host.Remember == nil {
		return
	}
	if data, err := json.Marshal(e.shown.filters); err == nil {
		e.host.Remember("graph.filters", []string{string(data)})
	}
}

// shippedProfile is the name of the list that a new file begins with.
const shippedProfile = "shipped"

// profilePath is the file of the user's profiles, which all files of graphs share.
func profilePath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "orrery", "graph-filters.json"), nil
}

// loadProfiles reads the user's profiles; the shipped list is the first one.
func loadProfiles() ([]filter.Profile, error) {
	list := []filter.Profile{{Name: shippedProfile, Filters: filter.Shipped()}}
	path, err := profilePath()
	if err != nil {
		return list, err
	}
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return list, nil
	}
	var own []filter.Profile
	if err == nil {
		err = json.Unmarshal(data, &own)
	}
	return append(list,
		slices.DeleteFunc(own, func(p filter.Profile) bool { return p.Name == "" || p.Name == shippedProfile })...), err
}

// saveProfiles writes the user's profiles.
func saveProfiles(list []filter.Profile) error {
	path, err := profilePath()
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(slices.Clone(list), func(p filter.Profile) bool { return p.Name == shippedProfile })
	data, err := json.MarshalIndent(own, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return output.Write(path, data)
}

// withProfile is a list of profiles with one more, or one in place of that of the same name.
func withProfile(list []filter.Profile, p filter.Profile) []filter.Profile {
	list = slices.Clone(list)
	if i := slices.IndexFunc(list, func(q filter.Profile) bool { return q.Name == p.Name }); i >= 0 {
		list[i] = p
		return list
	}
	return append(list, p)
}
