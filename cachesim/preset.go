package cachesim

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"orrery/assets"
)

// DefaultPreset is what is simulated when nobody chose.
const DefaultPreset = "default"

// Presets are the names of the configurations that ship with the program, the default first, the others sorted.
func Presets() []string {
	entries, err := fs.ReadDir(assets.Presets, "presets")
	if err != nil {
		panic("cachesim: the presets are not embedded: " + err.Error())
	}
	names := []string{DefaultPreset}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok && name != DefaultPreset {
			names = append(names, name)
		}
	}
	return names
}

// Preset is the shipped configuration of that name; the error for an unknown one names those that exist.
func Preset(name string) (Config, error) {
	if !slices.Contains(Presets(), name) {
		return Config{}, fmt.Errorf("there is no cache preset %q; the presets are %s", name, strings.Join(Presets(), ", "))
	}
	data, err := assets.Presets.ReadFile(path.Join("presets", name+".toml"))
	if err != nil {
		return Config{}, fmt.Errorf("reading preset %s: %w", name, err)
	}
	c, err := ParseConfig(data, name+".toml")
	c.Name = name
	return c, err
}
