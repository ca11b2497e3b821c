// Package readtest is what the tests and benchmarks beside the readers of foreign formats have in common: reading to
// the end with a look at every block, and measuring.
package readtest

import (
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
)

// Measure reads what open gives to its end, again and again, and reports the millions of references, fetches included,
// for each second of processor time.
func Measure(b *testing.B, open func() traceio.Source) {
	rows := 0
	var block traceio.Block
	start := cpu()
	for b.Loop() {
		r := open()
		for r.Next(&block) == nil {
			rows += block.Len()
		}
	}
	b.ReportMetric(float64(rows)/1e6/(cpu()-start).Seconds(), "cpu-Mrefs/s")
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
