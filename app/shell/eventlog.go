package shell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"
)

// eventLog appends one JSON line per notable event: {"t_ms":412.5,"event":"pane-drawn","slot":"cycles",...}, t_ms being
// milliseconds since the process began. Tests of the real window wait for these facts instead of sleeping. A nil log
// writes nothing.
type eventLog struct {
	mu    sync.Mutex
	file  *os.File
	birth time.Time
}

// openEventLog appends to path; "" gives a nil log.
func openEventLog(path string) (*eventLog, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the event log cannot be written: %w", err)
	}
	return &eventLog{file: f, birth: processStart()}, nil
}

// write appends one event; kv are pairs of name and value.
func (l *eventLog) write(event string, kv ...any) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"t_ms":%.1f,"event":%q`, float64(time.Since(l.birth).Microseconds())/1000, event)
	for i := 0; i+1 < len(kv); i += 2 {
		name, err1 := json.Marshal(fmt.Sprint(kv[i]))
		value, err2 := json.Marshal(kv[i+1])
		if err1 != nil || err2 != nil {
			value = []byte("null")
		}
		fmt.Fprintf(&b, ",%s:%s", name, value)
	}
	b.WriteString("}\n")
	if _, err := l.file.Write(b.Bytes()); err != nil {
		fmt.Fprintln(os.Stderr, "orrery: the event log cannot be written:", err)
	}
}

// place is where a picture lies in the window, in units.
type place struct {
	Slot Slot    `json:"slot"`
	X    float32 `json:"x"`
	Y    float32 `json:"y"`
	W    float32 `json:"w"`
	H    float32 `json:"h"`
}

// arranged writes where the visible pictures of the document in front lie, if that differs from what was written last.
func (l *eventLog) arranged(d *dock, logged []place) []place {
	if l == nil || !d.shown {
		return logged
	}
	origin := d.ui.body.Position().Add(d.Position())
	var now []place
	for _, g := range d.groups {
		p := g.front().pane
		if !g.Visible() || !p.Visible() {
			continue
		}
		at, z := origin.Add(g.Position()).Add(p.Position()), p.Size()
		now = append(now, place{g.front().slot, at.X, at.Y, z.Width, z.Height})
	}
	if len(now) > 0 && !slices.Equal(now, logged) {
		l.write("arranged", "panes", now, "name", d.name)
	}
	return now
}

// freed gives the memory of what was closed back to the system, and logs how much is left: bytes that are reachable,
// and goroutines.
func (l *eventLog) freed() {
	debug.FreeOSMemory()
	if l == nil {
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	l.write("freed", "heap", m.HeapAlloc, "goroutines", runtime.NumGoroutine())
}

// close ends the log.
func (l *eventLog) close() {
	if l != nil {
		l.file.Close()
	}
}

// ms is a duration in milliseconds for the log.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// processStart is when the kernel started this process, to its clock tick of 10 ms; now where /proc does not say.
func processStart() time.Time {
	now := time.Now()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return now
	}
	uptime, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return now
	}
	// the second field, the name, may hold blanks: count from its closing parenthesis; starttime is field 22
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	up := bytes.Fields(uptime)
	if len(fields) < 20 || len(up) < 1 {
		return now
	}
	ticks, err1 := strconv.ParseFloat(string(fields[19]), 64)
	since, err2 := strconv.ParseFloat(string(up[0]), 64)
	if err1 != nil || err2 != nil {
		return now
	}
	const clock = 100 // USER_HZ on every Linux that Go runs on
	age := time.Duration((since - ticks/clock) * float64(time.Second))
	if age < 0 || age > time.Minute { // in a container with a clock of its own
		return now
	}
	return now.Add(-age)
}
