package designs

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// bindings tells for each point where its processes and channels are, by name.
func bindings(s *Set) string {
	var out []string
	where := func(name string, column []int16, i int) {
		if column[i] != Unmapped {
			c := s.Platform.Component(int(column[i]))
			out = append(out, fmt.Sprintf("%d %s on %s (%s)", i, name, c.Name, c.Type))
		}
	}
	for i := range s.N {
		for j, p := range s.Platform.Processes {
			where(p.Name, s.Mapping.Process[j], i)
		}
		for j, c := range s.Platform.Channels {
			where(fmt.Sprintf("%s to %s", s.Platform.Processes[c.From].Name, s.Platform.Processes[c.To].Name),
				s.Mapping.Channel[j], i)
		}
	}
	return strings.Join(out, "\n")
}

// A platform that nobody described is what the columns of processes and channels speak of.
func TestThePlatformIsWhatColumnsSpeakOf(t *testing.T) {
	const table = "process:A,process:B,channel:A>B,channel:A>B 2,time\nASIP-1,mP,DRAM-2,,3\nmP,mP,mP,DRAM-2,4\n" +
		"ASIP-2,,SRAM,SRAM,5\n"
	read, err := Read(strings.NewReader(table), "x")
	if err != nil {
		t.Fatal(err)
	}
	s, err := read.Set(Guess(read))
	if err != nil {
		t.Fatal(err)
	}
	const want = "0 A on ASIP-1 (ASIP)\n0 B on mP (mP)\n0 A to B on DRAM-2 (DRAM)\n1 A on mP (mP)\n1 B on mP (mP)\n1 A " +
		"to B on mP (mP)\n1 A to B on DRAM-2 (DRAM)\n2 A on ASIP-2 (ASIP)\n2 A to B on SRAM (SRAM)\n2 A to B on SRAM (SRAM)"
	if got := bindings(s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(s.Platform.Processors) != 3 || len(s.Platform.Memories) != 2 {
		t.Errorf("the platform is %+v", s.Platform)
	}
}

// Roles that are told make a mapping of columns with any title; what cannot be is said with the column.
func TestToldMappings(t *testing.T) {
	const table = "first,second,pipe,use of mP,time\nmP,mP,mP,0.5,3\nDSP,mP,RAM,0.7,4\n"
	role := func(title string, r Role, of string) ColumnRole { return ColumnRole{Title: title, Role: r, Of: of} }
	base := []ColumnRole{role("first", IsProcess, ""), role("second", IsProcess, "sink"), role("time", IsObjective, "")}
	for _, row := range []struct {
		name string
		more []ColumnRole
		want string
	}{
		{"all", []ColumnRole{role("pipe", IsChannel, "first -> sink"), {Title: "use of mP", Role: IsSecondary,
			Kind: Utilization, Of: "mP"}}, ""},
		{"a channel without ends", []ColumnRole{role("pipe", IsChannel, "")}, "x: column pipe is a channel pipe, which is " +
			"not FROM>TO with two of the processes that other columns are; the description of the columns is wrong there"},
		{"a process twice", []ColumnRole{role("pipe", IsProcess, "sink")},
			"x: column pipe is a process sink that another column is too; the description of the columns is wrong there"},
		{"nothing is called so", []ColumnRole{{Title: "use of mP", Role: IsSecondary, Kind: Utilization, Of: "GPU"}},
			`x: column use of mP is about "GPU", which the platform does not have; the description of the columns is wrong there`},
	} {
		read, err := Read(strings.NewReader(table), "x")
		if err != nil {
			t.Fatal(err)
		}
		d := &Description{Columns: append(append([]ColumnRole(nil), base...), row.more...)}
		s, err := read.Set(d)
		if got := fmt.Sprint(err); row.want != "" && got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
		if d.Platform != nil || d.Columns[0].Of != "" {
			t.Errorf("%s: the description that was given is changed: %+v", row.name, d)
		}
		if row.want != "" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, want := bindings(s), "0 first on mP (mP)\n0 sink on mP (mP)\n0 first to sink on mP (mP)\n1 first on DSP "+
			"(DSP)\n1 sink on mP (mP)\n1 first to sink on RAM (RAM)"; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if s.Secondary[0].Of != s.Platform.component("mP") {
			t.Errorf("the utilization is about %d", s.Secondary[0].Of)
		}
	}
}

// Titles that only look like channels, and a column of numbers that is called a process, are parameters; a column of
// names without end is no processor.
func TestDoubtfulMappings(t *testing.T) {
	read, err := Read(strings.NewReader("channel:red,process:time,time\na,1,3\nb,2,4\n"), "x")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := read.Set(Guess(read)); err != nil || len(s.Parameters) != 2 || s.Platform != nil {
		t.Errorf("%v, %+v", err, s)
	}
	var long strings.Builder
	long.WriteString("process:A,time\n")
	for i := range mostComponents + 1 {
		fmt.Fprintf(&long, "cpu%d,1\n", i)
	}
	if read, err = Read(strings.NewReader(long.String()), "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := read.Set(Guess(read)); err == nil || !strings.Contains(err.Error(), "4097 different values") {
		t.Errorf("a process on 4097 processors: %v", err)
	}
}

// A description beside a table that speaks of another one is told, not passed over.
func TestDescriptionsOfOtherTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	write(t, path, "p,time\n1,2\n")
	write(t, path+".json", `{"columns":[{"title":"speed","role":"objective"}]}`)
	if _, err := Open(t.Context(), path); err == nil || !strings.HasSuffix(err.Error(),
		`a.csv.json: it describes a column "speed", which a.csv does not have; the columns are p, time; correct it or move it away`) {
		t.Error(err)
	}
}
