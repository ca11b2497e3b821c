package shell

import "fyne.io/fyne/v2"

// prefOf begins the names under which settings of one file are kept between runs.
const prefOf = "of:"

// keptOf are the settings of one file in the preferences: recall gives what was kept under a name, remember keeps a
// list; an empty one is forgotten. Both are called on the interface's goroutine.
func keptOf(p fyne.Preferences,
	path string) (recall func(name string) []string, remember func(name string, list []string)) {
	key := func(name string) string { return prefOf + name + ":" + path }
	return func(name string) []string { return p.StringList(key(name)) }, func(name string, list []string) {
		if len(list) == 0 {
			p.RemoveValue(key(name))
			return
		}
		p.SetStringList(key(name), list)
	}
}
