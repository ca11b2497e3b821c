package interrupt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// lateStatus is the exit status of a process that was late.
const lateStatus = 42

// TestMain is also the program that the tests below send signals to: one that counts for ever and never looks at its
// context.
func TestMain(m *testing.M) {
	how := os.Getenv("ORRERY_TEST_STUCK")
	if how == "" {
		os.Exit(m.Run())
	}
	wait := time.Hour
	if how == "late" || how == "released" {
		wait = time.Millisecond
	}
	ctx, _ := after(wait, func() { os.Exit(lateStatus) })
	others := make(chan os.Signal, 1) // as a window and a recorder listen, and do nothing
	signal.Notify(others, os.Interrupt, syscall.SIGTERM)
	release := func() {}
	if how == "held" || how == "released" {
		release = Hold(ctx)
	}
	fmt.Println("ready")
	if how == "released" {
		<-ctx.Done()
		release()
	} else {
		go func() {
			<-ctx.Done()
			fmt.Println("asked")
		}()
	}
	for n := 0; ; n++ {
	}
}

// stuck starts that program and waits until it is stuck.
func stuck(t *testing.T, how string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "ORRERY_TEST_STUCK="+how)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("it says %q", lines.Text())
	}
	return c, lines
}

// ending is how it ended: by a signal, or with a status.
func ending(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) {
		t.Fatalf("it ended with %v", err)
	}
	if ws := exit.Sys().(syscall.WaitStatus); ws.Signaled() {
		return ws.Signal().String()
	}
	return fmt.Sprint(exit.ExitCode())
}

// TestStuckWorkEnds: after one signal with the time, after two at once, held or not.
func TestStuckWorkEnds(t *testing.T) {
	for _, row := range []struct {
		name, how string
		signals   []syscall.Signal
		want      string
	}{
		{"one SIGTERM", "late", []syscall.Signal{syscall.SIGTERM}, fmt.Sprint(lateStatus)},
		{"one SIGINT", "late", []syscall.Signal{syscall.SIGINT}, fmt.Sprint(lateStatus)},
		{"held and let go", "released", []syscall.Signal{syscall.SIGINT}, fmt.Sprint(lateStatus)},
		{"two SIGTERM", "patient", []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM}, syscall.SIGTERM.String()},
		{"SIGTERM, then SIGINT", "patient", []syscall.Signal{syscall.SIGTERM, syscall.SIGINT}, syscall.SIGINT.String()},
		{"two while held", "held", []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}, syscall.SIGTERM.String()},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, lines := stuck(t, row.how)
			for i, sig := range row.signals {
				if i > 0 && (!lines.Scan() || lines.Text() != "asked") {
					t.Fatalf("after the first signal: %q", lines.Text())
				}
				if err := c.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
			}
			if got := ending(t, c); got != row.want {
				t.Errorf("it was ended by %s, want %s", got, row.want)
			}
		})
	}
}

// TestHoldsCount: the clock runs only while nobody holds the process, and what is stopped never ends it.
func TestHoldsCount(t *testing.T) {
	w := &watch{grace: time.Hour, late: func() {}}
	ctx := context.WithValue(context.Background(), key{}, w)
	first, second := Hold(ctx), Hold(ctx)
	if w.ask(); w.deadline != nil {
		t.Error("held: the clock runs")
	}
	first()
	if first(); w.deadline != nil {
		t.Error("held by one: the clock runs")
	}
	if second(); w.deadline == nil {
		t.Error("let go: the clock stands")
	}
	if third := Hold(ctx); w.deadline != nil {
		t.Error("held late: the clock runs")
	} else {
		third()
	}
	if w.stop(); w.deadline != nil {
		t.Error("stopped: the clock runs")
	}
	Hold(context.Background())() // nobody's: nothing to hold
}
