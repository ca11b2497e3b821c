package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
)

func sample() Session {
	speed := 3
	return Session{Version: 1, Theme: "light", Front: 1, Beside: -1, Documents: []Document{
		{Path: "/r/a.orr", Print: "6-ab", Speed: &speed, State: json.RawMessage(`{"x":1}`),
			Arrangement: Arrangement{Panes: json.RawMessage(`{"tabs":["cycles"]}`), Maximised: "cycles", Active: "heap",
				Folds: map[string]bool{"left": true}, Own: []Own{{"heap", 640, 480}}},
			Place: Place{Cursor: 1 << 60, From: 2, To: 1<<63 + 1, Selected: &Thing{What: "line", File: "a.c", Line: 4},
				Origin: "source"},
			Bookmarks: []Bookmark{{"the \"swap\"\n", Place{Cursor: 9, To: 10}}}},
		{Path: "/r/b.orr", Place: Place{To: 840}},
	}}
}

// What is written is read back equal.
func TestThereAndBack(t *testing.T) {
	s := sample()
	data, err := s.Bytes("")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse("x", data)
	if err != nil {
		t.Fatal(err)
	}
	var flat bytes.Buffer // the indentation of raw parts is the file's
	for i := range got.Documents {
		for _, raw := range []*json.RawMessage{&got.Documents[i].State, &got.Documents[i].Arrangement.Panes} {
			if flat.Reset(); json.Compact(&flat, *raw) == nil {
				*raw = json.RawMessage(flat.String())
			}
		}
		if len(got.Documents[i].State) == 0 {
			got.Documents[i].State, got.Documents[i].Arrangement.Panes = nil, nil
		}
	}
	if !reflect.DeepEqual(*got, s) {
		t.Errorf("read back\n%+v, want\n%+v", *got, s)
	}
	if !Is(data) || Is([]byte("lackey")) || Is([]byte("{}")) || Is(nil) {
		t.Error("a session is not told from other files by its contents")
	}
}

// Every kind of thing goes through a place and back, and a kind of a later version is nothing.
func TestPlaces(t *testing.T) {
	for what := link.Nothing; what.String() != "unknown"; what++ {
		l := link.New(link.State{Window: link.Range{To: 100}})
		want := link.Thing{What: what, File: "a.c", Line: 3, Name: "f", ID: 4, Low: 5, High: 6,
			Span: link.Range{From: 7, To: 8}}
		switch what {
		case link.Nothing:
			want = link.Thing{}
		case link.Block, link.Address: // that have a name: see TestOlderPlaces
			want.Name = ""
		}
		l.Select(want, "heap")
		l.SetCursor(50)
		l.SetWindow(link.Range{From: 10, To: 60})
		p := PlaceOf(l.State())
		again := link.New(link.State{Window: link.Range{To: 100}})
		p.Go(again, 100)
		if again.State() != l.State() {
			t.Errorf("%s: went to %+v, want %+v", what, again.State(), l.State())
		}
		short := link.New(link.State{Window: link.Range{To: 20}})
		p.Go(short, 20)
		if s := short.State(); s.Cursor != 19 || s.Window != (link.Range{From: 10, To: 20}) {
			t.Errorf("in a shorter recording the place is %+v", s)
		}
	}
	if got := (Place{Selected: &Thing{What: "galaxy"}}).Thing(); got != (link.Thing{}) {
		t.Errorf("an unknown kind selects %+v", got)
	}
}

func TestBroken(t *testing.T) {
	whole, err := sample().Bytes("")
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(whole, []byte(`"orrery-session": 1`), []byte(`"orrery-session": 7`), 1)
	many := `{"orrery-session":1,"documents":[` + strings.TrimSuffix(strings.Repeat(`{"path":"a"},`, 300), ",") + `]}`
	for _, c := range []struct{ name, data, want string }{
		{"nothing", "", "s:1: the session ends too early"},
		{"truncated", string(whole[:len(whole)/2]), fmt.Sprintf("s:%d: the session ends too early",
			1+bytes.Count(whole[:len(whole)/2], []byte("\n")))},
		{"no JSON", "{\n\"orrery-session\": 1,\n\"documents\": [}", "s:3: this is no JSON"},
		{"newer", string(newer), "s:1: the session was written by a newer Orrery (version 7 of the file, this one reads 1)"},
		{"no version", `{"documents":[]}`, `it does not say "orrery-session": 1`},
		{"another kind", "{\"orrery-session\":1,\n\"documents\":{}}", "s:2: documents cannot be a object"},
		{"a negative cursor", `{"orrery-session":1,"documents":[{"path":"a","place":{"cursor":-1}}]}`, "cannot be a number"},
		{"no path", `{"orrery-session":1,"documents":[{}]}`, "document 1 has no path"},
		{"too many", many, "300 documents are more than a window holds"},
	} {
		_, err := Parse("s", []byte(c.data))
		var at *traceio.Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "Orrery") &&
			!strings.Contains(err.Error(), "Ctrl+O") {
			t.Errorf("%s: %v, want %q with a remedy", c.name, err, c.want)
		}
	}
	s, err := Parse("s", []byte(`{"orrery-session":1,"front":9,"theme":"pink","documents":[{"path":"a"}]}`))
	if err != nil || s.Front != -1 || s.Beside != -1 || s.Theme != "" {
		t.Errorf("what can be mended gave %+v, %v", s, err)
	}
}

// A session that was moved together with its recordings finds them.
func TestMovedTogether(t *testing.T) {
	old, young := t.TempDir(), t.TempDir()
	for _, name := range []string{old + "/run.orr", young + "/run.orr"} {
		if err := os.WriteFile(name, []byte("recording"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := Session{Documents: []Document{{Path: old + "/run.orr"}, {Path: old + "/gone.orr"}}}
	if err := s.Write(old + "/x" + Ending); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(old + "/x" + Ending)
	if err == nil {
		err = os.WriteFile(young+"/x"+Ending, data, 0o644)
	}
	if err == nil {
		err = os.Remove(old + "/run.orr")
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(young + "/x" + Ending)
	if err != nil || got.Documents[0].Path != filepath.Join(young, "run.orr") || got.Documents[1].Path != old+"/gone.orr" {
		t.Errorf("found %+v, %v", got, err)
	}
	if !IsFile(young+"/x"+Ending) || IsFile(young) || IsFile(young+"/run.orr") || IsFile(young+"/nothing") {
		t.Error("a session file is not told from other files")
	}
	if _, err := Read(young + "/nothing"); err == nil || !strings.Contains(err.Error(), "Ctrl+O") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A print tells files apart by what is at their ends.
func TestPrints(t *testing.T) {
	dir := t.TempDir()
	print := func(data []byte) string {
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return PrintOf(path)
	}
	data := bytes.Repeat([]byte("abcdefg"), 500_000)
	first := print(data)
	if print(data) != first || first == "" {
		t.Error("the same contents have other prints")
	}
	for _, at := range []int{0, len(data) - 1} {
		other := bytes.Clone(data)
		other[at]++
		if print(other) == first {
			t.Errorf("a change at %d is not seen", at)
		}
	}
	if print(data[:len(data)-1]) == first || PrintOf(dir) != "" || PrintOf(dir+"/none") != "" {
		t.Error("another length, a folder or nothing have prints like the file's")
	}
}

func FuzzParse(f *testing.F) {
	whole, err := sample().Bytes("/r")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/3])
	f.Add([]byte(`{"orrery-session":1,"front":-3,"documents":[{"path":"a","place":{"selected":{"what":"set","id":-1}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("s", data)
		if err != nil {
			if !strings.Contains(err.Error(), "s:") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		for _, d := range s.Documents {
			l := link.New(link.State{Window: link.Range{To: 10}})
			d.Place.Go(l, 10)
			if now := l.State(); now.Cursor >= 10 || now.Window.To > 10 || now.Window.Empty() {
				t.Errorf("the place %+v leads out of the recording: %+v", d.Place, now)
			}
		}
		again, err := s.Bytes("")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse("s", again); err != nil {
			t.Errorf("what was read is written so that it cannot be read: %v", err)
		}
	})
}

// TestOlderPlaces: what earlier versions called errors of a log is read as that.
func TestOlderPlaces(t *testing.T) {
	for _, row := range []struct {
		name, place string
		want        link.Thing
	}{
		{"an error of a block", `{"selected":{"what":"block","name":"double-free at event 4","id":7,"low":16,"high":32}}`,
			link.OfError("double-free at event 4", 7, 16, 32)},
		{"an error of an address", `{"selected":{"what":"address","name":"unknown-free at event 5","low":16,"high":17}}`,
			link.OfError("unknown-free at event 5", -1, 16, 17)},
		{"an error", `{"selected":{"what":"error","name":"unknown-free at event 5","id":-1,"low":16,"high":17}}`,
			link.OfError("unknown-free at event 5", -1, 16, 17)},
		{"a block", `{"selected":{"what":"block","id":7,"low":16,"high":32}}`, link.OfBlock(7, 16, 32)},
		{"a kind of later versions", `{"selected":{"what":"galaxy","id":7}}`, link.Thing{}},
	} {
		var p Place
		if err := json.Unmarshal([]byte(row.place), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.Thing(); got != row.want {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
		again := PlaceOf(link.State{Selected: row.want})
		if got := again.Thing(); got != row.want {
			t.Errorf("%s: kept and read %+v, want %+v", row.name, got, row.want)
		}
	}
}
