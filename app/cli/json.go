package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"

	"orrery/cachesim"
)

// Schema is the number of the JSON objects' fields as assets/docs/command-line.md lists them. Fields may be added to a
// schema; one that is renamed or removed makes the next.
const Schema = 2

// envelope is what every JSON object of every command begins with.
type envelope struct {
	Schema int    `json:"schema"`
	Orrery string `json:"orrery"` // the version
	File   string `json:"file"`   // as the command line names it; "" where a command takes none
}

// printJSON writes what a command found about a file as one JSON object, the envelope first. It is the only way to
// standard output that --json has.
func printJSON(w io.Writer, file string, v any) error {
	head, err := json.Marshal(envelope{Schema, Version(), file})
	if err != nil {
		return err
	}
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	head = bytes.TrimSuffix(head, []byte("}"))
	if !bytes.Equal(body, []byte("{}")) {
		head = append(head, ',')
	}
	var out bytes.Buffer
	if err := json.Indent(&out, append(head, body[1:]...), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err = w.Write(out.Bytes())
	return err
}

// hierarchyJSON says in which caches numbers were counted, and where their configuration is from.
type hierarchyJSON struct {
	Name   string            `json:"name"`
	Source string            `json:"source"` // "preset", or "file"
	Levels []cacheConfigJSON `json:"levels"`
}

type cacheConfigJSON struct {
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Size    uint64  `json:"size"` // bytes
	Ways    int     `json:"ways"`
	Block   uint64  `json:"block"` // bytes
	Policy  string  `json:"policy"`
	Latency float64 `json:"latency_ns"`
}

func hierarchyObject(c cachesim.Config, source string) hierarchyJSON {
	out := hierarchyJSON{Name: c.Name, Source: source, Levels: []cacheConfigJSON{}}
	if source == fromFile {
		out.Name = filepath.Base(c.Name)
	}
	for _, l := range c.Levels {
		policy := l.Policy
		if policy == "" {
			policy = cachesim.LRU
		}
		out.Levels = append(out.Levels, cacheConfigJSON{l.Name, string(l.Kind), uint64(l.Size), l.Ways, uint64(l.Block),
			string(policy), l.Latency})
	}
	return out
}

// Where a hierarchy is from.
const (
	fromPreset = "preset"
	fromFile   = "file"
)

// source is where the hierarchy that the flags choose is from.
func (f *cacheFlags) source() string {
	if f.config != "" {
		return fromFile
	}
	return fromPreset
}
