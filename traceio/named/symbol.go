package named

import "github.com/ianlancetaylor/demangle"

// Bounds of names: a mangled one of two hundred bytes can stand for gigabytes, and long ones take their length squared.
const (
	mostMangled   = 8 << 10
	mostDemangled = 14 // a power of 2
)

// Symbol is the readable name of a symbol as the linker knows it: demangled, if it is mangled, not beyond 16 KiB.
func Symbol(symbol string, options ...demangle.Option) string {
	if len(symbol) > mostMangled {
		return symbol
	}
	return demangle.Filter(symbol, append(options, demangle.MaxLength(mostDemangled))...)
}
