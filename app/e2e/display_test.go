package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for a fact; a machine without a graphics card that runs other tests beside these is
// slow.
const patience = 2 * time.Minute

// install is what the user is told when one of the programs that these tests use is missing.
const install = "sudo apt-get install -y xvfb xauth xdotool imagemagick libgl1-mesa-dri"

// tools fails the test when a program that it needs is not installed.
func tools(t testing.TB) {
	t.Helper()
	for _, name := range []string{"Xvfb", "xdotool", "import"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%s is missing; install it with: %s", name, install)
		}
	}
}

// built is the program under test, built once for all tests of this package.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "orrery-e2e-")
	if err != nil {
		return "", err
	}
	scratch = dir
	bin := dir + "/orrery"
	if out, err := exec.Command("go", "build", "-o", bin, "../orrery").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the application: %w\n%s", err, out)
	}
	return bin, nil
})

// scratch is the directory that built has made, for TestMain to remove.
var scratch string

func TestMain(m *testing.M) {
	status := m.Run()
	if scratch != "" {
		os.RemoveAll(scratch)
	}
	os.Exit(status)
}

// binary is the path of the program under test.
func binary(t testing.TB) string {
	t.Helper()
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// display starts an X server with one screen of the given size and ends it with the test. It returns the name for
// DISPLAY. The server chooses a free number itself.
func display(t testing.TB, width, height int) string {
	t.Helper()
	tools(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var said strings.Builder
	c := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height),
		"-nolisten", "tcp", "-noreset")
	c.ExtraFiles, c.Stderr = []*os.File{w}, &said
	if err := c.Start(); err != nil {
		t.Fatalf("starting Xvfb: %v", err)
	}
	w.Close()
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	if err := r.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb named no display: %v\n%s", err, said.String())
	}
	name := ":" + strings.TrimSpace(number)
	servers.Store(name, c.Process)
	return name
}

// servers are the X servers by the names of their displays.
var servers sync.Map
