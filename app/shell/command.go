package shell

import (
	"fmt"
	"slices"
	"strings"
)

// Command is one thing the user can ask for. The one registry of them feeds the menus, the keyboard, the command
// palette, the help overlay and the tests.
type Command struct {
	ID      string // stable: "play.toggle"
	Title   string // "Play or pause"
	Menu    string // "File", "View", "Play", "Record", "Analyse", "Help"; "" keeps it out of the menus
	Keys    string // "Space", "Ctrl+Shift+Z", "0", ","; several separated by a blank: "Right ."
	Run     func()
	Enabled func() bool   // nil is always
	Now     func() string // the title in menus, where it depends on what is open; nil is Title
	Also    string        // words that people look for it by, beside those of the title: "export"
}

// On reports whether the command can run now.
func (c Command) On() bool { return c.Enabled == nil || c.Enabled() }

// label is the title as a menu shows it now.
func (c Command) label() string {
	if c.Now == nil {
		return c.Title
	}
	return c.Now()
}

// Registry holds the commands in the order of registration.
type Registry struct {
	list []Command
	byID map[string]int
	keys map[string]string // normalised key -> ID
	ran  func(id string)
}

// NewRegistry is an empty registry; ran (which may be nil) is called with every command before it runs.
func NewRegistry(ran func(id string)) *Registry {
	return &Registry{byID: map[string]int{}, keys: map[string]string{}, ran: ran}
}

// Add registers commands. A second command with the same ID, or one with a key that another has or that no window
// reports, is an error and is left out: a key has one meaning.
func (r *Registry) Add(list ...Command) error {
	var clash []string
	for _, c := range list {
		if _, ok := r.byID[c.ID]; ok || c.ID == "" || c.Run == nil {
			clash = append(clash, fmt.Sprintf("command %q is registered twice or does nothing", c.ID))
			continue
		}
		keys := strings.Fields(c.Keys)
		if i := slices.IndexFunc(keys, func(k string) bool { return r.keys[Key(k)] != "" }); i >= 0 {
			clash = append(clash, fmt.Sprintf("key %s of command %q already runs %q", keys[i], c.ID, r.keys[Key(keys[i])]))
			continue
		}
		if i := slices.IndexFunc(keys, func(k string) bool { return !pressable(Key(k)) }); i >= 0 {
			clash = append(clash, fmt.Sprintf("key %s of command %q cannot be pressed: Fyne does not tell the window of it",
				keys[i], c.ID))
			continue
		}
		for _, k := range keys {
			r.keys[Key(k)] = c.ID
		}
		r.byID[c.ID] = len(r.list)
		r.list = append(r.list, c)
	}
	if clash != nil {
		return fmt.Errorf("%s", strings.Join(clash, "; "))
	}
	return nil
}

// Remove takes commands out again (those of a document that was closed).
func (r *Registry) Remove(ids ...string) {
	r.list = slices.DeleteFunc(r.list, func(c Command) bool { return slices.Contains(ids, c.ID) })
	clear(r.byID)
	clear(r.keys)
	for i, c := range r.list {
		r.byID[c.ID] = i
		for _, k := range strings.Fields(c.Keys) {
			r.keys[Key(k)] = c.ID
		}
	}
}

// All lists the commands in order of registration.
func (r *Registry) All() []Command { return slices.Clone(r.list) }

// Run runs a command by its ID and reports whether it exists and was enabled.
func (r *Registry) Run(id string) bool {
	i, ok := r.byID[id]
	if !ok || !r.list[i].On() {
		return false
	}
	if r.ran != nil {
		r.ran(id)
	}
	r.list[i].Run()
	return true
}

// Press runs the command that the key stands for and reports whether there was one.
func (r *Registry) Press(key string) bool {
	id, ok := r.keys[Key(key)]
	return ok && r.Run(id)
}

// aliases are the names of Fyne for keys that have another on them.
var aliases = map[string]string{"PRIOR": "PAGEUP", "NEXT": "PAGEDOWN", "KP_ENTER": "RETURN"}

// Key normalises the name of a key: modifiers in the order Ctrl, Alt, Shift, then the key in upper case.
func Key(s string) string {
	var ctrl, alt, shift bool
	for {
		head, tail, ok := strings.Cut(s, "+")
		if !ok || tail == "" {
			break
		}
		switch strings.ToLower(head) {
		case "ctrl":
			ctrl = true
		case "alt":
			alt = true
		case "shift":
			shift = true
		default:
			return strings.ToUpper(s)
		}
		s = tail
	}
	out := strings.ToUpper(s)
	if alias, ok := aliases[out]; ok {
		out = alias
	}
	for _, m := range []struct {
		on   bool
		name string
	}{{shift, "Shift+"}, {alt, "Alt+"}, {ctrl, "Ctrl+"}} {
		if m.on {
			out = m.name + out
		}
	}
	return out
}
