package record

import (
	"os"
	"strings"
)

// escape protects commas in the emulator's option lists.
func escape(path string) string { return strings.ReplaceAll(path, ",", ",,") }

// splitEnv separates the variables of the dynamic linker from the rest: they are for the program, not for the emulator.
// The malloc wrapper comes first in the program's LD_PRELOAD and removes itself from there. The emulator splits what it
// is given for the program at commas, so a value with a comma goes to both. The same for programs that are started by
// exec is in assets/recorder/follow_exec.h.
func splitEnv(env []string, preload string) (emulator, program []string) {
	if env == nil {
		env = os.Environ()
	}
	emulator = []string{}
	for _, e := range env {
		rest, isPreload := strings.CutPrefix(e, "LD_PRELOAD=")
		switch {
		case !strings.HasPrefix(e, "LD_") || strings.Contains(e, ","):
			emulator = append(emulator, e)
		case isPreload && rest != "":
			preload += ":" + rest
		case !isPreload:
			program = append(program, e)
		}
	}
	return emulator, append(program, "LD_PRELOAD="+preload)
}
