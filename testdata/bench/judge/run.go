package judge

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Bench is the folder of the bench and a folder for what is built and recorded.
type Bench struct {
	Dir    string // testdata/bench
	Work   string // for programs, their input and recordings
	Orrery string // the program whose findings are judged
}

// Files that programs read: numbers on standard input, and text for the Debian programs.
const (
	numbersFile = "numbers"
	textFile    = "text"
)

// random is a generator of numbers that are the same everywhere: a linear congruence, of which the low bits are mixed.
type random uint32

func (r *random) next() uint32 {
	*r = *r*1664525 + 1013904223
	x := uint32(*r)
	x ^= x >> 15
	x *= 2246822519
	return x ^ x>>13
}

// Inputs writes the files that the programs read.
func (b *Bench) Inputs() error {
	r := random(1)
	numbers := make([]byte, 0, 8<<20)
	for len(numbers) < cap(numbers) {
		numbers = binary.LittleEndian.AppendUint32(numbers, r.next())
	}
	var text bytes.Buffer
	for range 1500 {
		fmt.Fprintf(&text, "%d", r.next()%1000)
		for range 6 {
			text.WriteByte(' ')
			for range 2 + r.next()%7 {
				text.WriteByte("etaoinshrdlu"[r.next()%12])
			}
		}
		text.WriteByte('\n')
	}
	for name, data := range map[string][]byte{numbersFile: numbers, textFile: text.Bytes()} {
		if err := os.WriteFile(filepath.Join(b.Work, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Build compiles a program into Work as a user would while looking for what is slow: -O1 -g.
func (b *Bench) Build(ctx context.Context, p *Program) error {
	if p.Source == "" {
		if _, err := exec.LookPath(p.Command[0]); err != nil {
			return fmt.Errorf("%w; install Debian's %s", err, p.Package)
		}
		return nil
	}
	dir, err := filepath.Abs(filepath.Join(b.Dir, "programs"))
	if err != nil {
		return err
	}
	out := filepath.Join(b.Work, p.Name())
	var cmd *exec.Cmd
	switch filepath.Ext(p.Source) {
	case ".c":
		cmd = exec.CommandContext(ctx, "gcc", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", out, p.Source)
	case ".cpp":
		cmd = exec.CommandContext(ctx, "g++", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", out, p.Source)
	case ".go":
		cmd = exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", out, p.Source)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	default:
		return fmt.Errorf("%s is in no language of the bench", p.Source)
	}
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", p.Source, err, text)
	}
	return nil
}

// command is what starts a run, and what it reads.
func (b *Bench) command(p *Program, r *Run) (args []string, stdin string) {
	if p.Source != "" {
		return append([]string{filepath.Join(b.Work, p.Name())}, strings.Fields(r.Args)...),
			filepath.Join(b.Work, numbersFile)
	}
	for _, a := range p.Command {
		args = append(args, strings.ReplaceAll(a, "{text}", filepath.Join(b.Work, textFile)))
	}
	return args, os.DevNull
}

// start prepares a command in an environment that is the same everywhere.
func start(ctx context.Context, args []string, stdin string) (*exec.Cmd, func(), error) {
	in, err := os.Open(stdin)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin = in
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "PERL_HASH_SEED=0", "HOME=" + os.TempDir()}
	return cmd, func() { in.Close() }, nil
}

// Output is what a run prints, without being recorded.
func (b *Bench) Output(ctx context.Context, p *Program, r *Run) (string, error) {
	args, stdin := b.command(p, r)
	cmd, done, err := start(ctx, args, stdin)
	if err != nil {
		return "", err
	}
	defer done()
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", p.Name(), r.Args, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Record records a run and returns the recording's file.
func (b *Bench) Record(ctx context.Context, p *Program, r *Run) (string, error) {
	args, stdin := b.command(p, r)
	file := filepath.Join(b.Work, fmt.Sprintf("%s-%s.orr", p.Name(), r.Size))
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return "", err
	}
	cmd, done, err := start(ctx, append([]string{b.Orrery, "record", "--output", file, "--"}, args...), stdin)
	if err != nil {
		return "", err
	}
	defer done()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("recording %s %s: %w\n%s", p.Name(), r.Args, err, &said)
	}
	return file, nil
}

// Found is what `orrery findings` says of a recording in a hierarchy.
func (b *Bench) Found(ctx context.Context, file, preset string) ([]Finding, error) {
	out, err := exec.CommandContext(ctx, b.Orrery, "findings", file, "--preset", preset, "--json").Output()
	if err != nil {
		return nil, fmt.Errorf("findings %s --preset %s: %w", file, preset, err)
	}
	var answer struct {
		Hierarchy struct{ Name string }
		Findings  []Finding
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, fmt.Errorf("findings %s --preset %s: %w", file, preset, err)
	}
	if answer.Hierarchy.Name != preset {
		return nil, fmt.Errorf("findings %s were asked for in %s and are in %q", file, preset, answer.Hierarchy.Name)
	}
	return answer.Findings, nil
}

// Verdicts records a run and judges what is found in each hierarchy of its rows.
func (b *Bench) Verdicts(ctx context.Context, p *Program, r *Run) ([]Verdict, error) {
	file, err := b.Record(ctx, p, r)
	if err != nil {
		return nil, err
	}
	var list []Verdict
	for i := range r.Expect {
		e := &r.Expect[i]
		for _, preset := range e.Preset {
			found, err := b.Found(ctx, file, preset)
			if err != nil {
				return nil, err
			}
			v, err := p.Judge(b.Dir, r, e, preset, found)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	}
	return list, nil
}
