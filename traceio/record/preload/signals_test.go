package preload

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/record/recordtest"
	"orrery/traceio/store"
)

// TestSignals: a program whose signal handlers interrupt it at any moment, and allocate where that is safe, ends as it
// does by itself, and all its blocks are recorded.
func TestSignals(t *testing.T) {
	dir := t.TempDir()
	source, program := filepath.Join(dir, "signals.c"), filepath.Join(dir, "signals")
	if err := os.WriteFile(source, []byte(recordtest.Signals), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-g", "-O1", "-pthread", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, way := range recordtest.SignalWays {
		t.Run(way.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			var stdout bytes.Buffer
			out := filepath.Join(t.TempDir(), "out.orr")
			res, err := run(ctx, record.Options{Program: program, Args: []string{way.Name, "20000000"}, Output: out,
				Stdout: &stdout}, unnamed, nil)
			if err != nil || ctx.Err() != nil {
				t.Fatal(err, ctx.Err())
			}
			r, err := store.Open(context.Background(), res.Path, store.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			blocks, live := 0, map[traceio.Addr]bool{}
			for _, a := range ours(r) {
				if (a.Op == traceio.Malloc) == live[a.Addr] {
					t.Fatalf("%v is given out or back twice", a.Addr)
				}
				if live[a.Addr] = a.Op == traceio.Malloc; live[a.Addr] {
					blocks++
				}
			}
			recordtest.CheckSignals(t, way, res.ExitCode, stdout.String(), recordtest.Unseen, 0)
			if len(r.Loss()) > 0 || (blocks > 0) != (way.Name == "heap" || way.Name == "threads, heap") {
				t.Errorf("%d blocks of the handlers', lost %v", blocks, r.Loss())
			}
		})
	}
}
