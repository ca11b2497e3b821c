package traceio

// Process is one of several whose events stand in one recording. Each has addresses of its own, and the same number may
// be a block of several; so addresses of process k carry k above their lower 48 bits, which are all that programs on
// Linux use.
type Process struct {
	ID      uint64   `json:"id,omitempty"`      // the system's number
	Command []string `json:"command,omitempty"` // of one that began with a program; empty where it was forked and went on
}

const addrBits = 48

// MaxProcesses is how many processes a recording can distinguish.
const MaxProcesses = 1 << 15

// In is the address as one of process k, 0 <= k < MaxProcesses, of a recording with several; false for one that no
// process has.
func (a Addr) In(k int) (Addr, bool) { return a | Addr(k)<<addrBits, a>>addrBits == 0 }

// Process is the number of the process that an address of a recording with several belongs to, and the address as it
// has it.
func (a Addr) Process() (k int, own Addr) { return int(a >> addrBits), a & (1<<addrBits - 1) }
