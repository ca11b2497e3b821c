package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orrery/app/cli"
)

// options are those of the command line.
type options struct {
	seed  uint64
	draw  int
	good  bool          // run all commands on all good files first
	count uint64        // mutants of each format; 0: no bound
	span  time.Duration // 0: no bound
	only  []string      // formats; none: all
	out   string        // where failures and the progress are kept
	slice time.Duration // for one format before the next has its turn
}

// driver gives mutants to a worker and keeps what is found.
type driver struct {
	options
	root, temp string
	formats    []*format
	proc       *process
	kept       progress
	log        func(text string, args ...any)
}

// progress is what a campaign has done so far; the file of it lets another go on.
type progress struct {
	Seed    uint64             `json:"seed"`
	Draw    int                `json:"draw"`
	Formats map[string]*done   `json:"formats"`
	Found   map[string]*failed `json:"found,omitempty"` // by format and fault
}

// done is what was done with mutants of one format.
type done struct {
	Next     uint64            `json:"next"`    // mutants so far
	Seconds  float64           `json:"seconds"` // of processor time
	Peak     uint64            `json:"peak"`    // most memory that a worker had mapped
	Commands map[string]*tally `json:"commands"`
}

// tally counts how a command ended.
type tally struct {
	Runs, OK, Refused, Recovered, Failures uint64
}

// failed is one kind of failure.
type failed struct {
	Times   uint64 `json:"times"`
	Index   uint64 `json:"index"` // the first mutant
	Command string `json:"command"`
	Folder  string `json:"folder,omitempty"`
}

const progressFile = "progress.json"

// load reads the progress of an earlier campaign with the same seed.
func (d *driver) load() error {
	d.kept = progress{Seed: d.seed, Draw: d.draw, Formats: map[string]*done{}, Found: map[string]*failed{}}
	path := filepath.Join(d.out, progressFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(d.out, 0o755)
	}
	var old progress
	if err == nil {
		err = json.Unmarshal(data, &old)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s cannot be read: %w; remove it, or choose another folder with -o", path, err)
	case old.Seed != d.seed || old.Draw != d.draw:
		return fmt.Errorf("%s is of -seed %d -commands %d; choose these, or another folder with -o", path, old.Seed, old.Draw)
	}
	for name, f := range old.Formats {
		d.kept.Formats[name] = f
	}
	for name, f := range old.Found {
		d.kept.Found[name] = f
	}
	return nil
}

func (d *driver) save() error {
	data, err := json.MarshalIndent(d.kept, "", " ")
	if err != nil {
		return err
	}
	path := filepath.Join(d.out, progressFile)
	if err := os.WriteFile(path+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// run goes through the formats in turn until count or span is reached.
func (d *driver) run() (err error) {
	defer func() {
		if d.proc != nil {
			d.proc.end()
		}
	}()
	began, saved := time.Now(), time.Now()
	over := func() bool { return d.span > 0 && time.Since(began) > d.span }
	for more := true; more && !over(); {
		more = false
		for _, f := range d.formats {
			n, at := uint64(1), d.of(f)
			for slice := time.Now(); time.Since(slice) < d.slice && !over(); {
				if d.count > 0 {
					n = min(n, d.count-min(d.count, at.Next))
				}
				if n == 0 {
					break
				}
				more = true
				step := time.Now()
				if err := d.step(f, n); err != nil {
					return fmt.Errorf("%w, after %d mutants", err, at.Next)
				}
				if time.Since(step) < d.slice/4 {
					n = min(2*n, 4096)
				}
			}
		}
		if time.Since(saved) > 10*time.Second {
			saved = time.Now()
			if err := d.save(); err != nil {
				return err
			}
		}
	}
	return d.save()
}

func (d *driver) of(f *format) *done {
	at := d.kept.Formats[f.name]
	if at == nil {
		at = &done{Commands: map[string]*tally{}}
		d.kept.Formats[f.name] = at
	}
	return at
}

// step runs n mutants of a format.
func (d *driver) step(f *format, n uint64) (err error) {
	if d.proc == nil {
		if d.proc, err = d.start(); err != nil {
			return err
		}
	}
	at := d.of(f)
	if at.Next == 0 && d.good {
		_, dead := d.proc.ask(job{Format: f.name, Good: true}, func(a answer) {
			if a.Error != "" {
				err = errors.New(a.Error)
			}
		})
		if dead {
			err = fmt.Errorf("%s: a good file: %s", f.name, d.proc.death())
			d.proc = nil
		}
		if err != nil {
			return err
		}
	}
	var found []answer
	answers, dead := d.proc.ask(job{Format: f.name, From: at.Next, Count: n}, func(a answer) {
		if a.Error != "" {
			err = errors.New(a.Error)
		}
		d.take(f, &a)
		if slices.ContainsFunc(a.Runs, func(r result) bool { return len(r.Faults) > 0 }) {
			found = append(found, a)
		}
	})
	at.Next += answers
	if err != nil {
		return err
	}
	if dead {
		fatal := at.Next
		why := d.proc.death()
		d.proc = nil
		at.Next++
		if err := d.replay(f, fatal, why); err != nil {
			return err
		}
	}
	for _, a := range found {
		for _, r := range a.Runs {
			for _, fault := range r.Faults {
				if err := d.found(f, a.Index, r.Command, fault); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// take counts an answer.
func (d *driver) take(f *format, a *answer) {
	at := d.of(f)
	at.Seconds += a.Used
	for _, r := range a.Runs {
		t := at.tally(f, r.Command)
		t.Runs++
		switch r.Status {
		case cli.Done:
			t.OK++
		case cli.Partial:
			t.Recovered++
		default:
			t.Refused++
		}
		if len(r.Faults) > 0 {
			t.Failures++
		}
		at.Peak = max(at.Peak, r.Peak)
	}
}

func (at *done) tally(f *format, command int) *tally {
	name := strings.Join(f.commands[command], " ")
	if at.Commands[name] == nil {
		at.Commands[name] = &tally{}
	}
	return at.Commands[name]
}

// replay finds the command during which a worker died, each in a process of its own.
func (d *driver) replay(f *format, index uint64, why string) error {
	confirmed := false
	for k := range f.commands {
		fault, err := d.alone(f, index, k, "")
		if err != nil {
			return err
		}
		for _, text := range fault {
			confirmed = confirmed || died(text)
			t := d.of(f).tally(f, k)
			t.Runs, t.Failures = t.Runs+1, t.Failures+1
			if err := d.found(f, index, k, text); err != nil {
				return err
			}
		}
		if confirmed {
			return nil
		}
	}
	d.log("%s, mutant %d: %s, and not when its commands run alone", f.name, index, why)
	return d.found(f, index, 0, "not confirmed: "+why)
}

// died tells whether a fault ends the worker.
func died(fault string) bool {
	return strings.HasPrefix(fault, "time") || strings.HasPrefix(fault, "memory") || strings.HasPrefix(fault, "panic") ||
		strings.HasPrefix(fault, "death")
}

// alone runs one command on one mutant, or on the contents of a file in its place, in a process of its own, and gives
// the faults.
func (d *driver) alone(f *format, index uint64, command int, file string) (faults []string, err error) {
	p, err := d.start()
	if err != nil {
		return nil, err
	}
	_, dead := p.ask(job{Format: f.name, From: index, Only: []int{command}, File: file}, func(a answer) {
		if a.Error != "" {
			err = errors.New(a.Error)
		}
		for _, r := range a.Runs {
			faults = append(faults, r.Faults...)
		}
	})
	if dead {
		return []string{p.death()}, err
	}
	p.end()
	return faults, err
}

// found keeps a failure; of each kind the first is written down.
func (d *driver) found(f *format, index uint64, command int, fault string) error {
	key := f.name + ": " + fault
	if k := d.kept.Found[key]; k != nil {
		k.Times++
		return nil
	}
	line := strings.Join(f.commands[command], " ")
	k := &failed{Times: 1, Index: index, Command: line}
	d.kept.Found[key] = k
	d.log("%s, mutant %d, %s: %s", f.name, index, line, fault)
	k.Folder = fmt.Sprintf("%03d-%s", len(d.kept.Found), f.name)
	return d.write(f, index, command, fault, filepath.Join(d.out, k.Folder))
}

// write puts a failing mutant into a folder, as it is and as small as it could be made, with what is needed to run it
// again.
func (d *driver) write(f *format, index uint64, command int, fault, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	p, err := d.start()
	if err != nil {
		return err
	}
	defer p.end()
	path := filepath.Join(folder, "mutant")
	var a answer
	if _, dead := p.ask(job{Format: f.name, From: index, Save: path}, func(got answer) { a = got }); dead ||
		a.Error != "" {
		return fmt.Errorf("mutant %d of %s was not written: %s", index, f.name, a.Error)
	}
	small, tries := "not tried", 0
	if !a.Pipe && !strings.HasPrefix(fault, "left running") && !strings.HasPrefix(fault, "not confirmed") {
		data, n, err := d.minimise(f, index, command, fault, path)
		if err != nil {
			return err
		}
		tries = n
		if small = "is not smaller"; data != nil {
			small = fmt.Sprintf("has %d bytes", len(data))
			if err := os.WriteFile(filepath.Join(folder, "small"), data, 0o644); err != nil {
				return err
			}
		}
	}
	text := fmt.Sprintf(
		"%s\n\nformat   %s\nmutant   %d of seed %d, %d bytes, made by %s; the file is called %s\n"+
			"command  orrery %s\nsmall    %s (%d tries)\n\n"+
			"go run ./app/endurance/inputs -seed %d -formats %s -replay %d\n",
		fault,
		f.name,
		index,
		d.seed,
		a.Size,
		strings.Join(a.Edits, ", "),
		a.Name,
		strings.Join(f.commands[command], " "),
		small,
		tries,
		d.seed,
		f.name,
		index,
	)
	return os.WriteFile(filepath.Join(folder, "README"), []byte(text), 0o644)
}

// The bounds of minimising one mutant.
const (
	mostTries = 300
	mostTime  = 20 * time.Second
)

// minimise takes blocks out of a mutant, halves first and then smaller ones, as long as the fault stays. It gives nil
// when none could go.
func (d *driver) minimise(
	f *format,
	index uint64,
	command int,
	fault, path string,
) (small []byte, tries int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	try := path + ".try"
	defer os.Remove(try)
	var p *process
	defer func() {
		if p != nil {
			p.end()
		}
	}()
	fails := func(data []byte) bool {
		if p == nil {
			if p, err = d.start(); err != nil {
				return false
			}
		}
		if err = os.WriteFile(try, data, 0o644); err != nil {
			return false
		}
		same := false
		_, dead := p.ask(job{Format: f.name, From: index, Only: []int{command}, File: try}, func(a answer) {
			for _, r := range a.Runs {
				same = same || slices.Contains(r.Faults, fault)
			}
		})
		if dead {
			same = p.death() == fault
			p = nil
		}
		return same
	}
	end := time.Now().Add(mostTime)
	for size := len(data) / 2; size > 0 && err == nil; size /= 2 {
		for at := 0; at < len(data) && err == nil; {
			if tries++; tries > mostTries || time.Now().After(end) {
				return small, tries, err
			}
			less := slices.Concat(data[:at], data[min(len(data), at+size):])
			if fails(less) {
				data, small = less, less
			} else {
				at += size
			}
		}
	}
	return small, tries, err
}
