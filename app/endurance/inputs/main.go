// Command inputs tries what the readers do with damaged and hostile files. It changes good files of every format
// (mutate.go), or makes recordings that are whole and wrong (recording.go), gives each through commands of the command
// line (formats.go, list.go) and judges what they do (judge.go): no panic, no hang, no memory beyond a limit, no
// silence about damage, each error a sentence with its place and what to do. assets/docs/endurance.md tells what is
// tried and what was found.
//
//	go run ./app/endurance/inputs -for 1h -o mutants
//
// The driver (driver.go) has a worker (worker.go) in a process of its own, which runs thousands of mutants through the
// entry of the command line. When it dies, hangs or grows beyond its limit, another takes its place, and the mutant is
// run again alone. Seed, format and number decide all about a mutant.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	if dir := os.Getenv(workerVariable); dir != "" {
		if err := serve(dir); err != nil {
			fmt.Fprintln(os.Stderr, "inputs:", err)
			os.Exit(1)
		}
		return
	}
	failures, err := campaign(os.Args[1:], os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "inputs:", err)
		os.Exit(2)
	case failures > 0:
		os.Exit(1)
	}
}

// serve is the worker's side.
func serve(dir string) error {
	at, err := root()
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(os.Getenv("ORRERY_MUTANTS_SEED"), 10, 64)
	if err != nil {
		return err
	}
	draw, err := strconv.Atoi(os.Getenv("ORRERY_MUTANTS_DRAW"))
	if err != nil {
		return err
	}
	return work(at, dir, seed, draw, os.Stdin, os.Stdout)
}

// campaign runs one with these arguments and prints what was done. It gives how many kinds of failure there were.
func campaign(args []string, out io.Writer) (failures int, err error) {
	var o options
	var only string
	var byCommand bool
	replay := int64(-1)
	flags := flag.NewFlagSet("inputs", flag.ExitOnError)
	flags.Uint64Var(&o.seed, "seed", 1, "what all chance comes from")
	flags.Uint64Var(&o.count, "count", 0, "mutants of each format (0: no bound)")
	flags.DurationVar(&o.span, "for", 0, "how long to go on (0: no bound)")
	flags.StringVar(&only, "formats", "", "only these formats, with commas (see -list)")
	flags.IntVar(&o.draw, "commands", 1, "how many commands a mutant goes through beside the first of its format")
	flags.StringVar(
		&o.out,
		"o",
		"mutants",
		"the folder for failures and for the progress, from which the same campaign goes on",
	)
	flags.BoolVar(&o.good, "good", true, "run all commands on all good files first")
	flags.BoolVar(&byCommand, "by-command", false, "a row of the table for each command")
	flags.Int64Var(&replay, "replay", -1, "run only this mutant, through all commands, and say what is wrong")
	list := flags.Bool("list", false, "list the formats")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	o.slice = time.Second
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	at, err := root()
	if err != nil {
		return 0, err
	}
	d := &driver{options: o, root: at, log: func(text string, args ...any) { fmt.Fprintf(out, text+"\n", args...) }}
	all, err := formats(at)
	if err != nil {
		return 0, err
	}
	for _, f := range all {
		if *list {
			fmt.Fprintf(out, "%-16s %3d good files, %2d commands\n", f.name, len(f.seeds), len(f.commands))
		}
		if len(o.only) == 0 || slices.Contains(o.only, f.name) {
			d.formats = append(d.formats, f)
		}
	}
	if *list {
		return 0, nil
	}
	if len(d.formats) < max(1, len(o.only)) {
		return 0, fmt.Errorf("-formats %s: not all of these are formats; -list lists them", only)
	}
	if d.temp, err = os.MkdirTemp("", "orrery-mutants-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(d.temp)
	if replay >= 0 {
		return d.replayAll(uint64(replay))
	}
	if err := d.load(); err != nil {
		return 0, err
	}
	if err := d.run(); err != nil {
		return 0, err
	}
	d.kept.print(out, byCommand)
	return len(d.kept.Found), nil
}

// replayAll runs one mutant of each format chosen through all its commands, each in a process of its own.
func (d *driver) replayAll(index uint64) (failures int, err error) {
	for _, f := range d.formats {
		for k, command := range f.commands {
			faults, err := d.alone(f, index, k, "")
			if err != nil {
				return 0, err
			}
			for _, fault := range faults {
				failures++
				d.log("%s, mutant %d, %s: %s", f.name, index, strings.Join(command, " "), fault)
			}
		}
	}
	return failures, nil
}

// print is the table of what was done.
func (p *progress) print(out io.Writer, byCommand bool) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "format\tcommand\tmutants\truns\tok\trefused\trecovered\tfailures\tmutants/CPU s\tMiB\t")
	names := make([]string, 0, len(p.Formats))
	for name := range p.Formats {
		names = append(names, name)
	}
	sort.Strings(names)
	var mutants uint64
	var seconds float64
	var all tally
	for _, name := range names {
		f := p.Formats[name]
		var sum tally
		commands := make([]string, 0, len(f.Commands))
		for command, t := range f.Commands {
			commands = append(commands, command)
			sum.add(t)
		}
		sort.Strings(commands)
		if byCommand {
			for _, command := range commands {
				fmt.Fprintf(w, "%s\t%s\t\t%s\t\t\t\n", name, command, f.Commands[command])
			}
		}
		fmt.Fprintf(
			w,
			"%s\t%d\t%d\t%s\t%.0f\t%d\t\n",
			name,
			len(commands),
			f.Next,
			&sum,
			float64(f.Next)/max(f.Seconds, 0.001),
			f.Peak>>20,
		)
		all.add(&sum)
		mutants, seconds = mutants+f.Next, seconds+f.Seconds
	}
	fmt.Fprintf(w, "all\t\t%d\t%s\t%.0f\t\t\n", mutants, &all, float64(mutants)/max(seconds, 0.001))
	w.Flush()
	faults := make([]string, 0, len(p.Found))
	for fault := range p.Found {
		faults = append(faults, fault)
	}
	sort.Strings(faults)
	for _, fault := range faults {
		f := p.Found[fault]
		fmt.Fprintf(out, "%6d x %s\n         first: mutant %d, %s, %s\n", f.Times, fault, f.Index, f.Command, f.Folder)
	}
}

func (t *tally) add(more *tally) {
	t.Runs += more.Runs
	t.OK += more.OK
	t.Refused += more.Refused
	t.Recovered += more.Recovered
	t.Failures += more.Failures
}

// String is the columns of the table.
func (t *tally) String() string {
	return fmt.Sprintf("%d\t%d\t%d\t%d\t%d", t.Runs, t.OK, t.Refused, t.Recovered, t.Failures)
}
