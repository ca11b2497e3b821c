package hooks_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/record/recordtest"
)

// TestSignals: a program with hooks whose signal handlers make references at any moment ends as it does by itself, and
// every reference is recorded or counted as lost.
func TestSignals(t *testing.T) {
	program := build(t, false, "signals.c", recordtest.Signals, "--", "gcc", "-O1")
	for _, way := range recordtest.SignalWays {
		t.Run(way.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(context.Background(), 2*time.Minute, errors.New("the program does not end"))
			defer cancel()
			m := runContext(ctx, t, record.Options{Program: program, Args: []string{way.Name, strconv.Itoa(signalRounds(way))}})
			if ctx.Err() != nil {
				t.Fatal(context.Cause(ctx))
			}
			recordtest.CheckSignals(t, way, m.ExitCode, m.stdout, [2]uint64{stores(t, m, "counter"), stores(t, m, "handled")},
				lost(m))
		})
	}
}

// signalRounds is how often the program counts: some laps around the ring.
func signalRounds(way recordtest.SignalWay) int {
	switch {
	case way.Name == "threads, much":
		return 50_000
	case strings.Contains(way.Name, "threads"):
		return 200_000
	}
	return 1_000_000
}

// stores counts the stores to a variable.
func stores(t *testing.T, m made, name string) (n uint64) {
	g := global(t, m.rec, name)
	each(t, m.rec, func(a traceio.Access) {
		if a.Kind == traceio.Store && a.Addr >= g.Addr && a.Addr < g.Addr+traceio.Addr(g.Size) {
			n++
		}
	})
	return n
}

// lost is how many records were begun and not written.
func lost(m made) (n uint64) {
	for _, l := range m.rec.Program().Lost {
		n += l.Count
	}
	return n
}
