package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"orrery/analysis/topology"
	"orrery/app/session"
	"orrery/traceio"
)

// tableCycles analyses a distance matrix or a cloud of points.
func tableCycles(ctx context.Context, s Streams, matrix, points string, opt topology.Options,
	tell func(int, *session.Cycles, *session.Recording) error) error {
	p := newProgress(s.Err, "finding cycles")
	defer p.Done()
	result, err := analyzeTable(ctx, matrix, points, opt, p)
	if err != nil {
		return err
	}
	p.Done()
	return tell(result.Times, &session.Cycles{Result: result}, nil)
}

func analyzeTable(ctx context.Context, matrix, points string, opt topology.Options,
	p *progress) (*topology.Result, error) {
	path := matrix + points
	t, err := readTable(ctx, path)
	if err != nil {
		return nil, err
	}
	var result *topology.Result
	if points != "" {
		result, err = topology.AnalyzePoints(ctx, t.rows(), opt, p.Report)
	} else {
		n := int(math.Sqrt(2*float64(len(t.numbers)))) + 1
		if n*(n-1)/2 != len(t.numbers) {
			return nil, &traceio.Error{File: path, Msg: fmt.Sprintf("the file holds %d numbers, which is no lower triangle",
				len(t.numbers)),
				Hint: fmt.Sprintf("a lower distance matrix of %d points without its diagonal has %d", n, n*(n-1)/2)}
		}
		result, err = topology.AnalyzeMatrix(ctx, t.numbers, opt, p.Report)
	}
	if err != nil {
		return nil, cyclesError(path, err)
	}
	return result, nil
}

// Bounds of a table: more numbers than any matrix has that can be analysed, lines as long as its rows can be.
const (
	maxNumbers   = 1 << 25
	maxTableLine = 16 << 20
)

// table is a text of numbers: row i ends before numbers[ends[i]].
type table struct {
	numbers []float64
	ends    []int
}

func (t *table) rows() [][]float64 {
	out := make([][]float64, len(t.ends))
	from := 0
	for i, end := range t.ends {
		out[i], from = t.numbers[from:end:end], end
	}
	return out
}

// readTable reads rows of numbers separated by commas or blanks; empty lines are skipped.
func readTable(ctx context.Context, path string) (*table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t := &table{}
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 1<<16), maxTableLine)
	n := 1
	for ; lines.Scan(); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := t.add(lines.Text()); err != nil {
			return nil, &traceio.Error{File: path, Line: n, Msg: err.Error(), Hint: "write numbers separated by commas"}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &traceio.Error{File: path, Line: n, Msg: fmt.Sprintf("the line is longer than %d MiB", maxTableLine>>20),
			Hint: "write a row of numbers a line"}
	case err != nil:
		return nil, err
	case len(t.numbers) == 0:
		return nil, &traceio.Error{File: path, Msg: "the file holds no numbers", Hint: "write numbers separated by commas"}
	}
	return t, nil
}

// add takes one line.
func (t *table) add(line string) error {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' })
	if len(fields) == 0 {
		return nil
	}
	if len(t.numbers)+len(fields) > maxNumbers {
		return fmt.Errorf("there are more than %d numbers, too many to be analysed", maxNumbers)
	}
	for _, text := range fields {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%.40q is not a number", text)
		}
		t.numbers = append(t.numbers, v)
	}
	t.ends = append(t.ends, len(t.numbers))
	return nil
}
