// Package assets holds the files that ship inside the binary: typefaces, icons, the recorders' C sources, presets and
// tables of costs.
package assets

import "embed"

// Fonts has Inter-Regular.otf, Inter-SemiBold.otf and JetBrainsMono-Regular.ttf, all under the SIL Open Font License
// 1.1 (OFL.txt beside them).
//
//go:embed fonts
var Fonts embed.FS

// Presets has the shipped cache hierarchies, presets/NAME.toml.
//
//go:embed presets
var Presets embed.FS

// Costs has costs/cacti32.csv: time, energy and area of caches by the CACTI 7 model.
//
//go:embed costs
var Costs embed.FS

// Recorder has the C sources of the recorder: plugin.c (the emulator's plugin), preload.c (the malloc wrapper), those
// of the allocations' own recorder (heaponly*.c), and their headers.
//
//go:embed recorder
var Recorder embed.FS

// Icon is the application's icon, 512x512 PNG.
//
//go:embed icon/icon.png
var Icon []byte
