package designs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sweep is a table of so many rows, of cells that are made from three settings of four, five and six values.
func sweep(title string, rows int, cells func(r *rand.Rand, a, b, c int) string) string {
	r := rand.New(rand.NewPCG(3, 1))
	var out strings.Builder
	out.WriteString(title + "\n")
	for i := range rows {
		out.WriteString(cells(r, i%4, i/4%5, i/20%6) + "\n")
	}
	return out.String()
}

// Columns that no title tells are guessed by their units and values. Each row says what is an objective; + is one to be
// made more.
func TestMeasuredColumns(t *testing.T) {
	size := func(a, b, c int) float64 { return 100 + float64(7*a+31*b+57*c)/10 }
	for _, row := range []struct{ name, text, want string }{
		{"a size in kB beside a time and an energy", sweep("opt,unroll,tile,run_ms,energy_mJ,binary_kB", 3000,
			func(r *rand.Rand, a, b, c int) string {
				return fmt.Sprintf("O%d,%d,%d,%g,%g,%g", a, b, 8*c, float64(a*b*c)+0.125, float64(a+b+c)/8, size(a, b, c))
			}), "run_ms energy_mJ binary_kB"},
		{"whole bytes", sweep("opt,unroll,tile,time,text_bytes", 120, func(r *rand.Rand, a, b, c int) string {
			return fmt.Sprintf("O%d,%d,%d,%d,%.0f", a, b, c, a+b+c, 10*size(a, b, c))
		}), "time text_bytes"},
		{"sizes and times that are settings", sweep("cache_kB,timeout_ms,assoc,energy", 120,
			func(r *rand.Rand, a, b, c int) string {
				return fmt.Sprintf("%d,%d,%d,%g", 16<<a, 10*b, c, size(a, b, c))
			}), "energy"},
		{"a setting with many decimals", sweep("core,bias,ways,leakage", 2000, func(r *rand.Rand, a, b, c int) string {
			v := float64(r.IntN(40)) / 20
			return fmt.Sprintf("c%d,%g,%d,%g", a, v, c, v*size(a, b, c))
		}), "leakage"},
		{"what follows from such a setting", sweep("core,bias,ways,leakage,margin", 2000,
			func(r *rand.Rand, a, b, c int) string {
				v := float64(r.IntN(40)) / 20
				return fmt.Sprintf("c%d,%g,%d,%g,%g", a, v, c, v*float64(a+c), 3*v*float64(1+a*c)+0.25)
			}), "leakage margin"},
		{"a search that draws its settings", sweep("width,slope,loss", 500, func(r *rand.Rand, a, b, c int) string {
			return fmt.Sprintf("%.6f,%.6f,%.6f", r.Float64(), r.Float64(), r.Float64())
		}), "loss"},
		{"learning rates", sweep("layers,units,batch,optimizer,lr,dropout,loss", 90, func(r *rand.Rand, a, b, c int) string {
			return fmt.Sprintf("%d,%d,%d,o%d,%.5f,%.4f,%.5f", r.IntN(9), 16*r.IntN(30), 8*a, b, r.Float64(),
				r.Float64(), r.Float64())
		}), "loss"},
		{"rates are more when better", sweep("opt,unroll,tile,copied MB/s,area_mm2", 120,
			func(r *rand.Rand, a, b, c int) string {
				return fmt.Sprintf("O%d,%d,%d,%d,%g", a, b, c, 3*a, size(a, b, c))
			}), "copied MB/s+ area_mm2"},
		{"a small table",
			"opt,unroll,run_ms,code_bytes,cost\n0,1,3.5,310,2\n0,2,3.25,340,2\n1,1,2.5,350,3\n1,2,2.125,390,3\n" +
				"2,1,2,420,4\n2,2,1.75,470,4\n", "run_ms code_bytes cost"},
	} {
		table, err := Read(strings.NewReader(row.text), "x")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range Guess(table).Columns {
			if c.Role == IsObjective && c.Maximise {
				c.Title += "+"
			}
			if c.Role == IsObjective {
				got = append(got, c.Title)
			}
		}
		if s := strings.Join(got, " "); s != row.want {
			t.Errorf("%s: the objectives are %q, want %q", row.name, s, row.want)
		}
	}
}
