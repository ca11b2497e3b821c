package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// workerVariable makes this program a worker: the directory that it works in.
const workerVariable = "ORRERY_MUTANTS_WORKER"

// process is a worker in a process of its own.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer // closed when the process has ended
	stderr  tail
	dir     string
}

// start begins a worker.
func (d *driver) start() (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(d.temp, "worker-")
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(self), answers: make(chan answer), dir: dir}
	p.cmd.Env = append(os.Environ(), workerVariable+"="+dir, "ORRERY_MUTANTS_SEED="+strconv.FormatUint(d.seed, 10),
		"ORRERY_MUTANTS_DRAW="+strconv.Itoa(d.draw), "GOTRACEBACK=all", "GOMAXPROCS=1")
	p.cmd.Dir = d.root
	p.cmd.Stderr = &p.stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.answers)
		for answers := json.NewDecoder(bufio.NewReader(out)); ; {
			var a answer
			if answers.Decode(&a) != nil {
				return
			}
			p.answers <- a
		}
	}()
	return p, nil
}

// patience is how long the driver waits for one answer; the worker itself gives up much sooner.
const patience = 20 * time.Minute

// ask lets the worker do a job. done is how many answers came; dead tells that the process has ended, or was ended,
// before the last.
func (p *process) ask(j job, each func(answer)) (done uint64, dead bool) {
	if json.NewEncoder(p.in).Encode(j) != nil {
		p.end()
		return 0, true
	}
	for ; done < max(1, j.Count); done++ {
		select {
		case a, ok := <-p.answers:
			if !ok {
				p.end()
				return done, true
			}
			each(a)
		case <-time.After(patience):
			p.end()
			return done, true
		}
	}
	return done, false
}

// end ends the process and takes its directory away.
func (p *process) end() {
	p.in.Close()
	_ = p.cmd.Process.Kill()
	for range p.answers {
	}
	_ = p.cmd.Wait()
	_ = os.RemoveAll(p.dir)
}

// death is why a worker ended.
func (p *process) death() string {
	text := p.stderr.text()
	switch code := p.cmd.ProcessState.ExitCode(); {
	case code == diedOfTime || code == diedOfMemory:
		what := "time"
		if code == diedOfMemory {
			what = "memory"
		}
		return what + ": the run was ended" + inOurs(text)
	case strings.Contains(text, "panic") || strings.Contains(text, "fatal error") || strings.Contains(text, "goroutine "):
		return "panic: " + panicked([]byte(text))
	}
	return fmt.Sprintf("death: %v", p.cmd.ProcessState)
}

// inOurs is the place in the readers' or analyses' code where the first goroutine that is in any was.
func inOurs(stacks string) string {
	for _, line := range strings.Split(stacks, "\n") {
		at, _, _ := strings.Cut(strings.TrimSpace(line), " +")
		if dir, rest, ok := strings.Cut(at, "/"); ok && strings.Contains(at, ".go:") && !strings.Contains(at, "app/") &&
			(dir == "orrery" || strings.HasSuffix(filepath.Dir(at), "orrery")) {
			return " in " + rest
		}
	}
	return ""
}

// tail keeps the beginning of what is written to it, and the end.
type tail struct {
	mu    sync.Mutex
	first []byte
	last  []byte
}

const tailLen = 1 << 16

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := min(len(p), tailLen-len(t.first))
	t.first = append(t.first, p[:n]...)
	t.last = append(t.last, p[n:]...)
	t.last = t.last[max(0, len(t.last)-tailLen):]
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.first) + string(t.last)
}
