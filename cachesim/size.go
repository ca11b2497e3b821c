package cachesim

import (
	"fmt"
	"strconv"
	"strings"
)

// Size is a number of bytes. In a configuration file it is a number or a string such as "32KiB".
type Size uint64

// The binary multiples of a byte.
const (
	KiB Size = 1 << 10
	MiB Size = 1 << 20
	GiB Size = 1 << 30
)

// units are tried longest first, so that "KiB" is not read as "B".
var units = []struct {
	name  string
	bytes Size
}{{"kib", KiB}, {"mib", MiB}, {"gib", GiB}, {"k", KiB}, {"m", MiB}, {"g", GiB}, {"b", 1}}

// String gives the shortest exact form: "512B", "32KiB", "1536KiB", "2MiB".
func (s Size) String() string {
	switch {
	case s == 0:
		return "0B"
	case s%GiB == 0:
		return strconv.FormatUint(uint64(s/GiB), 10) + "GiB"
	case s%MiB == 0:
		return strconv.FormatUint(uint64(s/MiB), 10) + "MiB"
	case s%KiB == 0:
		return strconv.FormatUint(uint64(s/KiB), 10) + "KiB"
	}
	return strconv.FormatUint(uint64(s), 10) + "B"
}

// ParseSize reads "512", "512B", "32KiB", "32K", "2MiB" or "1GiB"; case and spaces around do not matter. Decimal
// multiples (KB, MB) are refused, because a cache of 32 KB means 32768 bytes to some and 32000 to others.
func ParseSize(text string) (Size, error) {
	s := strings.ToLower(strings.TrimSpace(text))
	unit := Size(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			s, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a size; write bytes as 512, or 32KiB, 2MiB, 1GiB", text)
	}
	if n > uint64(1<<63)/uint64(unit) {
		return 0, fmt.Errorf("%q is too large for a size", text)
	}
	return Size(n) * unit, nil
}
