package record

import "testing"

// TestNotBegun: a program that somebody ended before it began is not said to be at fault.
func TestNotBegun(t *testing.T) {
	for _, c := range []struct {
		name   string
		native bool
		res    Result
		want   string
	}{
		{"by itself", false, Result{ExitCode: 1},
			"the emulator did not start ./loop (exit status 1); does it run without the recorder?"},
		{"with hooks", true, Result{ExitCode: 127},
			"./loop did not begin (exit status 127); does it run without the recorder?"},
		{"crash", true, Result{ExitCode: 139, Signal: "SIGSEGV"},
			"./loop did not begin (exit status 139); does it run without the recorder?"},
		{"Ctrl-C", false, Result{ExitCode: 130, Signal: "SIGINT"},
			"the emulator did not start ./loop before SIGINT ended it; record again"},
		{"killed politely", true, Result{ExitCode: 143, Signal: "SIGTERM"},
			"./loop did not begin before SIGTERM ended it; record again"},
	} {
		s := &session{native: c.native, res: c.res}
		s.opt.Program = "./loop"
		if got := s.notBegun().Error(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
