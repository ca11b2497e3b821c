// Command bench records the programs of testdata/bench, judges what `orrery findings` says of them and prints the
// table, precision, recall and the rank of what is planted.
//
//	go run ./testdata/bench                     all, some minutes
//	go run ./testdata/bench -only people,hello  some
//	go run ./testdata/bench -o testdata/bench/results.md
//
// It needs Debian's qemu-user, gcc, g++ and the programs of the last rows, and runs from the root of the repository.
// Recordings are made in a temporary folder, or in the one that -keep names.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"orrery/testdata/bench/judge"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir := flag.String("dir", "testdata/bench", "the bench")
	keep := flag.String("keep", "", "keep programs and recordings in this folder")
	only := flag.String("only", "", "programs, separated by commas; all without it")
	orrery := flag.String("orrery", "", "judge this program instead of building it")
	out := flag.String("o", "", "write the result to this file instead of printing it")
	jobs := flag.Int("jobs", 2, "how many runs are recorded at a time")
	flag.Parse()
	programs, err := judge.Load(*dir)
	if err != nil {
		return err
	}
	if *only != "" {
		names := strings.Split(*only, ",")
		programs = slices.DeleteFunc(programs, func(p judge.Program) bool { return !slices.Contains(names, p.Name()) })
		if len(programs) != len(names) {
			return fmt.Errorf("-only %s: %d of %d programs are in the table", *only, len(programs), len(names))
		}
	}
	bench := judge.Bench{Dir: *dir, Work: *keep, Orrery: *orrery}
	if bench.Work == "" {
		if bench.Work, err = os.MkdirTemp("", "bench"); err != nil {
			return err
		}
		defer os.RemoveAll(bench.Work)
	} else if err := os.MkdirAll(bench.Work, 0o755); err != nil {
		return err
	}
	if bench.Work, err = filepath.Abs(bench.Work); err != nil {
		return err
	}
	if bench.Orrery == "" {
		bench.Orrery = filepath.Join(bench.Work, "orrery")
		build := exec.CommandContext(ctx, "go", "build", "-o", bench.Orrery, "./app/orrery")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building orrery: %w", err)
		}
	}
	if err := bench.Inputs(); err != nil {
		return err
	}
	verdicts, err := all(ctx, &bench, programs, max(1, *jobs))
	if err != nil {
		return err
	}
	if *out == "" {
		return judge.Report(os.Stdout, programs, verdicts)
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	if err := judge.Report(io.MultiWriter(file, os.Stdout), programs, verdicts); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// all builds the programs and judges their runs, so many at a time; the verdicts are in the order of the table.
func all(ctx context.Context, bench *judge.Bench, programs []judge.Program, jobs int) ([]judge.Verdict, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([][]judge.Verdict, len(programs))
	next := make(chan int)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := range next {
				list, err := one(ctx, bench, &programs[i])
				if err != nil {
					cancel(err)
				}
				results[i] = list
			}
		})
	}
	for i := range programs {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	return slices.Concat(results...), context.Cause(ctx)
}

// one builds a program and judges all its runs.
func one(ctx context.Context, bench *judge.Bench, p *judge.Program) ([]judge.Verdict, error) {
	if err := bench.Build(ctx, p); err != nil {
		return nil, err
	}
	var list []judge.Verdict
	for i := range p.Run {
		r := &p.Run[i]
		printed, err := bench.Output(ctx, p, r)
		if err != nil {
			return nil, err
		}
		if p.Source != "" && printed != r.Prints {
			return nil, fmt.Errorf("%s %s prints %q, want %q", p.Name(), r.Args, printed, r.Prints)
		}
		verdicts, err := bench.Verdicts(ctx, p, r)
		if err != nil {
			return nil, err
		}
		list = append(list, verdicts...)
		fmt.Fprintf(os.Stderr, "%s %s\n", p.Name(), r.Size)
	}
	return list, nil
}
