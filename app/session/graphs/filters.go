package graphs

import (
	"encoding/json"

	"orrery/analysis/depgraph/filter"
)

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

func (e *Explorer) editFilters() {}
