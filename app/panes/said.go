package panes

import "encoding/json"

// Said is what a session says of a pane, by name.
type Said map[string]json.RawMessage

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
