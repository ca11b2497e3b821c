package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"orrery/app/output"
	"orrery/app/session"
	"orrery/traceio/store"
)

// formats are those that Open reads, for the help.
const formats = `.orr, lackey (valgrind --tool=lackey
--trace-mem=yes), drmemtrace (DynamoRIO, *.trace.gz and *.trace.zip), pinatrace (Pin), ChampSim, din (Dinero), gem5 packets, CSV with a
column address, and allocation logs such as mtrace's and heaptrack's`

func convertCommand(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "convert FILE OUT.orr",
		Short: "save a recording of any format as an .orr file",
		Long: `Convert reads a recording of any format and writes it as an .orr file: compressed, indexed and with the program's names and source
text inside, so that it opens at once and on other machines. Of a damaged file everything that is whole is kept, and the .orr file goes on
telling what was lost. The format is told from the content, in gzip, zstd and xz too: ` + formats + `. FILE may be - for standard input.`,
		Example: "  orrery convert testdata/oracles/quicksort.lk.gz quicksort.orr",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("convert takes a file to read and a file to write")
			}
			if strings.ToLower(filepath.Ext(args[1])) != ".orr" {
				return usagef("the file to write must end in .orr, not %q", filepath.Base(args[1]))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return withRecording(c.Context(), s, input(s, args[0]), "converting", func(rec *loaded, p *progress) error {
				err := output.ReplacePrivate(args[1], func(w io.Writer) error {
					return store.Write(c.Context(), rec.Recording.Recording, w, p.Report)
				})
				if err != nil {
					return err
				}
				_ = session.CountFile(c.Context(), args[1], rec.Recording, p.Report) // nothing is lost but time
				p.Done()
				fmt.Fprintf(s.Err, "orrery: %s in %s\n", plainly(uint64(rec.Extent()), strings.TrimSuffix(rec.TimeUnit(), "s")),
					args[1])
				return nil
			})
		},
	}
}
