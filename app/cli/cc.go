package cli

import (
	"fmt"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"orrery/traceio/record/hooks"
)

func ccCommand() *cobra.Command {
	var opt hooks.Options
	c := &cobra.Command{
		Use:   "cc [flags] -- COMPILER [ARGUMENT...]",
		Short: "compile a program so that it can be recorded fast",
		Long: `Cc runs a compiler (gcc, g++, clang or clang++, of any version) so that the program will tell its own references. It stands for the
compiler everywhere in a build: make CC="orrery cc -- gcc" CXX="orrery cc -- g++". Record the program with orrery record, as any other; it
then runs without the emulator. Build all of it so: what is compiled otherwise, the C library included, is not recorded, but for memcpy,
strlen and the like, whose references appear at their call. Allocations are all recorded.

By itself the program does what it always did and records nothing, some times slower than without hooks. With ORRERY_OUT=FILE in its
environment it starts its recorder: the orrery that ORRERY names, that built it or that is in PATH. %p in FILE becomes the process's number.

Left out are local variables whose address is not taken, which the compiler may keep in registers. With --locals every one is recorded under
its name, and nothing is optimised; gcc needs the package gcc-12-plugin-dev (with its version) and g++ for that, clang nothing more.

Shared libraries built so can be loaded only by programs built so. Code for a kernel (-ffreestanding), without the C library (-nostdlib) or
with a sanitizer (-fsanitize) is compiled as always.`,
		Example: `  orrery cc -- gcc -g -O2 -o bubble testdata/programs/bubble.c && orrery record -- ./bubble sorted
  orrery cc --locals -- clang -g -o bubble testdata/programs/bubble.c
  ORRERY_OUT=bubble.%p.orr ./bubble sorted`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the compiler to run after --")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				self = "orrery"
			}
			argv, err := hooks.Command(c.Context(), opt, self, args)
			if err != nil {
				return err
			}
			// the compiler takes this process's place: its streams, status and signals are its own
			err = syscall.Exec(argv[0], argv, os.Environ())
			return fmt.Errorf("starting %s: %w", argv[0], err)
		},
	}
	c.Flags().SetInterspersed(false)
	c.Flags().BoolVar(&opt.Locals, "locals", false, "record every local variable too; nothing is optimised")
	return c
}
