package panes

import (
	"encoding/json"

	"orrery/app/shell"
)

// Said is what a session says of a pane, by name.
type Said map[string]json.RawMessage

// Commander is a pane with commands.
type Commander interface{ OwnCommands() []shell.Command }

// Keeper is a pane of which sessions say something.
type Keeper interface {
	Session() Said
	Resume(Said)
}

// Put says something; what JSON has no word for is left out.
func (s Said) Put(name string, value any) {
	if data, err := json.Marshal(value); err == nil {
		s[name] = data
	}
}

// Get reads what is said into value, which stays as it is where that makes no sense, and tells whether it does.
func (s Said) Get(name string, value any) bool {
	data, ok := s[name]
	return ok && json.Unmarshal(data, value) == nil
}
