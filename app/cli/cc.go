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
		Long: `Cc runs a compiler (gcc, g++, clang or clang++, of any version) so that the program tells its own references. It stands for the compiler
everywhere: make CC="orrery cc -- gcc". Record the program with orrery record as any other; it then runs without the emulator, several times
faster, and its threads side by side. Build all of it so: what is compiled otherwise, the C library included, is not recorded but for memcpy,
strlen and the like, whose references appear at the call.

Run by itself the program does what it always did and records nothing, a little slower. With ORRERY_OUT=FILE in the environment it starts its
recorder (the orrery that built it, that in ORRERY or that in PATH); %p in FILE becomes the process's number.

Left out are local variables that stay in the function, which the compiler keeps in registers or on the stack as it likes. With --locals every one is
recorded, as with -O0, which is then used.`,
		Example: `  make CC="orrery cc -- gcc" CXX="orrery cc -- g++"
  orrery cc -- gcc -g -O2 -o sort sort.c && orrery record -- ./sort
  orrery cc --locals -- clang -g -o sort sort.c
  ORRERY_OUT=sort.%p.orr ./sort`,
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
