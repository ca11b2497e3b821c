package record

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/record/recordtest"
)

// TestSignalsAtAnyMoment: under the emulator a program whose signal handlers make references at any moment ends as it
// does by itself, and every reference is recorded.
func TestSignalsAtAnyMoment(t *testing.T) {
	program := compile(t, "signals.c", recordtest.Signals)
	for _, way := range recordtest.SignalWays {
		if way.Name == "threads, heap" {
			continue // QEMU 7.2 fails at that by itself
		}
		t.Run(way.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(context.Background(), 2*time.Minute, errors.New("the program does not end"))
			defer cancel()
			m := runContext(t, ctx, Options{Program: program, Args: []string{way.Name, strconv.Itoa(40_000)},
				Only: []string{"program"}})
			if ctx.Err() != nil {
				t.Fatal(context.Cause(ctx))
			}
			var stores [2]uint64
			for i, name := range []string{"counter", "handled"} {
				g := m.global(t, name)
				m.each(t, func(a traceio.Access) {
					if a.Kind == traceio.Store && a.Addr >= g.Addr && a.Addr < g.Addr+traceio.Addr(g.Size) {
						stores[i]++
					}
				})
			}
			recordtest.CheckSignals(t, way, m.ExitCode, m.stdout, stores, 0)
		})
	}
}
