package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"orrery/app/output"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/igv"
	"orrery/traceio/irgraph/listen"
)

func graphListenCommand(s Streams) *cobra.Command {
	var opt listen.Options
	var dir string
	var count, memory int
	c := &cobra.Command{
		Use:   "listen",
		Short: "take graphs from a compiler that runs",
		Long: fmt.Sprintf(
			`Listen waits for compilers that send their graphs while they run, as the Ideal Graph Visualizer does, until Ctrl-C: HotSpot
(a debug build with -XX:PrintIdealGraphLevel=2 -XX:PrintIdealGraph) as XML, GraalVM (-Dgraal.PrintGraph=Network) as BGV. Each
method that arrives is written to a file of its own as soon as it is whole.

Anybody can connect. So what compilers send may take --memory MiB while it comes, one method half of that, and %d MiB as it is sent;
%d compilers may be connected. One that sends more, that sends something else, or that stops for %.0f s in the middle of a method is
named and sent away. What a written method took is free for the next one: listening can go on for ever.`, listen.DefaultSent>>20, listen.DefaultPeers, listen.DefaultPatience.Seconds()),
		Example: `  orrery graph listen --dir graphs
  orrery graph listen --address 127.0.0.1:4445 --count 10`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("%s takes no arguments, got %d", c.CommandPath(), len(args))
			}
			if count < 0 {
				return usagef("--count is %d; it must not be negative", count)
			}
			if memory < 1 || memory > 1<<20 {
				return usagef("--memory is %d; it must be 1 to %d MiB", memory, 1<<20)
			}
			opt.Limit = int64(memory) << 20
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return listenTo(c.Context(), s, opt, dir, count)
		},
	}
	c.Flags().StringVar(&opt.Address, "address", listen.Address, "where to wait")
	c.Flags().StringVar(&dir, "dir", ".", "the directory to write to")
	c.Flags().IntVar(&count, "count", 0, "end after so many methods; 0: when stopped")
	c.Flags().IntVar(&memory, "memory", listen.DefaultLimit>>20,
		"MiB of memory that methods may take while they come, all together")
	return c
}

// listenTo writes what arrives until the context ends or count methods are written.
func listenTo(ctx context.Context, s Streams, opt listen.Options, dir string, count int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	n, bad := 0, false
	var failed error
	opt.Release = true
	opt.Deliver = func(e listen.Event) {
		if e.Err != nil {
			bad = true
			fmt.Fprintf(s.Err, "orrery: %v\n", e.Err)
		}
		if e.Kind == listen.Connected {
			fmt.Fprintf(s.Err, "orrery: %s is connected\n", e.Peer)
		}
		if e.Group == nil || failed != nil || count > 0 && n == count {
			return
		}
		doc := &irgraph.Document{Groups: []*irgraph.Group{e.Group}}
		if doc.Empty() {
			fmt.Fprintf(s.Err, "orrery: %s sent no graph of %.60q; nothing is written\n", e.Peer, e.Group.Name)
			return
		}
		n++
		if failed = writeArrived(s, dir, n, doc); failed != nil || n == count {
			stop()
		}
	}
	l, err := listen.Open(opt)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "orrery: waiting for compilers at %s\n", l.Addr())
	err = l.Serve(ctx)
	switch {
	case failed != nil:
		return failed
	case !errors.Is(err, context.Canceled):
		return err
	case bad:
		return errPartial
	}
	return nil
}

// writeArrived writes a document of one group to a file named after it.
func writeArrived(s Streams, dir string, n int, doc *irgraph.Document) error {
	g, graphs := doc.Groups[0], 0
	name := strings.Trim(strings.Map(fileName, g.Name), ".")
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "")
	}
	path := filepath.Join(dir, fmt.Sprintf("%03d-%s.xml", n, name))
	if err := output.Replace(path, func(w io.Writer) error { return igv.Write(w, doc, false) }); err != nil {
		return err
	}
	doc.Walk(func(_ []string, g *irgraph.Group) { graphs += len(g.Snapshots) })
	fmt.Fprintf(s.Out, "%s: %s in %s\n", strings.Join(strings.Fields(g.Name), " "), plainly(uint64(graphs), "graph"), path)
	return nil
}
