package simulator

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

func FuzzParseConfig(f *testing.F) {
	for _, c := range richConfigs() {
		f.Add([]byte(c.TOML()))
	}
	files, err := filepath.Glob("../../assets/presets/*.toml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no presets to start from: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig(data, "fuzz.toml")
		if err != nil {
			if e := (*traceio.Error)(nil); !errors.As(err, &e) {
				t.Fatalf("%v is no *traceio.Error", err)
			}
			return
		}
		again, err := ParseConfig([]byte(c.TOML()), c.Name)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("written and read again: %v\n%+v\n%+v", err, c, again)
		}
		lines := Size(0)
		for _, l := range c.Levels {
			lines += l.Size / l.Block
		}
		if lines < 1<<12 {
			if _, err := New(c); err != nil {
				t.Fatalf("parsed, but New refuses: %v", err)
			}
		}
	})
}
