package heaplog

import (
	"bytes"
	"io"
	"strings"

	"orrery/traceio"
)

// ltraceLog reads what `ltrace -tt -f -i` prints, and less of it: the process, the time and the address may be missing.
//
//	[pid 28518] 04:14:12.015597 [0x55581a7ff1c2] malloc(32)         = 0x55582f0702a0
//	[pid 28518] 04:14:12.016390 [0x55581a7ff238] calloc(3, 7 <unfinished ...>
//	[pid 28519] 04:14:12.016648 [0x55581a7ff1eb] free(0x55582f070300) = <void>
//	[pid 28518] 04:14:12.016700 [0x55581a7ff238] <... calloc resumed> ) = 0x55582f0702d0
//
// ltrace sees the calls that the program makes itself, not those that libraries make, so blocks are freed of which it
// has told nothing, and it prints nonsense now and then. What cannot be made sense of is counted. The time is of day.
// With -T the time that a call took stands behind its result.
type ltraceLog struct {
	log
	callers
	threads map[uint64]traceio.Thread
	open    map[uint64][]openCall // calls of a thread that have begun and not ended
	began   traceio.Ticks         // time of day of the first line
	timed   bool
}

// openCall is the first half of a call.
type openCall struct {
	name string
	call call
	at   traceio.Alloc
}

// mostOpen bounds the calls of a thread that are open at once.
const mostOpen = 256

// NewLtrace reads ltrace's output, already decompressed, from r. The name appears in errors.
func NewLtrace(r io.Reader, name string) traceio.Source {
	l := &ltraceLog{callers: newCallers(), threads: map[uint64]traceio.Thread{}, open: map[uint64][]openCall{}}
	l.log = log{lines: newLines(r, name), what: "ltrace's", hint: "run ltrace -tt -f -i -o FILE PROGRAM",
		prog: traceio.Program{Recorder: "ltrace"}, take: l.line, end: l.tell, whole: ltraceWhole}
	return l
}

// SniffLtrace tells whether head, the first bytes of a file, is of ltrace: most lines are calls, and one is of an
// allocator.
func SniffLtrace(head []byte) bool {
	calls, others, allocator := 0, 0, false
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte{'\n'})
		head = rest
		if line = bytes.TrimRight(line, "\r "); !whole || len(line) == 0 {
			continue
		}
		p := ltracePrefix(line)
		c, after, ok := parseCall(p.text)
		switch {
		case ok && (bytes.Contains(after, []byte(" = ")) || bytes.HasSuffix(after, []byte("<unfinished ...>"))):
			calls++
			allocator = allocator || actionOf(c.name) != nothing && c.n > 0
		case bytes.HasPrefix(p.text, []byte("<... ")) || bytes.HasPrefix(p.text, []byte("+++ ")) ||
			bytes.HasPrefix(p.text, []byte("--- ")):
		default:
			others++
		}
	}
	return allocator && calls > others
}

// prefix is what stands before the call.
type prefix struct {
	pid   uint64
	time  traceio.Ticks // of day
	timed bool
	ip    traceio.Addr
	text  []byte
}

func ltracePrefix(line []byte) prefix {
	var p prefix
	if rest, ok := bytes.CutPrefix(line, []byte("[pid ")); ok {
		number, after, ok := bytes.Cut(rest, []byte("] "))
		if pid, good := decimal(bytes.TrimSpace(number)); ok && good {
			p.pid, line = pid, after
		}
	} else if i := bytes.IndexByte(line, ' '); i > 0 && i < 9 { // with -o FILE the number stands alone
		if pid, ok := decimal(line[:i]); ok {
			p.pid, line = pid, bytes.TrimLeft(line[i:], " ")
		}
	}
	if i := bytes.IndexByte(line, ' '); i > 0 {
		if p.time, p.timed = timeOfDay(line[:i]); p.timed {
			line = line[i+1:]
		}
	}
	if bytes.HasPrefix(line, []byte("[0x")) {
		number, after, ok := bytes.Cut(line[1:], []byte("] "))
		if ip, good := hex(number); ok && good {
			p.ip, line = traceio.Addr(ip), after
		}
	}
	p.text = line
	return p
}

// timeOfDay reads "04:14:12.015597", or seconds since 1970 as -ttt prints them.
func timeOfDay(s []byte) (traceio.Ticks, bool) {
	whole, fraction, _ := bytes.Cut(s, []byte{'.'})
	seconds := uint64(0)
	parts := bytes.Split(whole, []byte{':'})
	if len(parts) != 3 && (len(parts) != 1 || len(whole) < 9) {
		return 0, false
	}
	for _, part := range parts {
		x, ok := decimal(part)
		if !ok || x > 1<<34 {
			return 0, false
		}
		seconds = seconds*60 + x
	}
	nanos, digits := uint64(0), 0
	for ; digits < 9; digits++ {
		d := byte('0')
		if digits < len(fraction) {
			d = fraction[digits]
		}
		if d < '0' || d > '9' {
			return 0, false
		}
		nanos = nanos*10 + uint64(d-'0')
	}
	return traceio.Ticks(seconds*1e9 + nanos), true
}

const day = 24 * 3600 * 1e9

func (l *ltraceLog) line(line []byte) {
	if len(line) == 0 {
		return
	}
	p := ltracePrefix(line)
	l.clock(&p)
	if bytes.HasPrefix(p.text, []byte("+++ ")) || bytes.HasPrefix(p.text, []byte("--- ")) {
		return // an exit or a signal
	}
	if rest, ok := bytes.CutPrefix(p.text, []byte("<... ")); ok {
		l.resume(&p, rest)
		return
	}
	text := p.text
	if i := bytes.Index(text, []byte("->")); i > 0 && i < bytes.IndexByte(text, '(') { // the library that calls
		text = text[i+2:]
	}
	if i := bytes.IndexByte(text, '@'); i > 0 && i < bytes.IndexByte(text, '(') { // the library that is called
		text = append(bytes.Clone(text[:i]), text[bytes.IndexByte(text, '('):]...)
	}
	c, rest, ok := parseCall(text)
	if !ok {
		l.lose(otherText)
		return
	}
	l.used++
	if actionOf(c.name) == nothing {
		return
	}
	at := traceio.Alloc{Thread: l.thread(p.pid), Stack: l.of(p.ip)}
	if bytes.HasSuffix(rest, []byte("<unfinished ...>")) {
		if len(l.open[p.pid]) >= mostOpen {
			l.lose(unfinished)
			return
		}
		o := openCall{string(c.name), c, at}
		o.call.name = []byte(o.name)
		l.open[p.pid] = append(l.open[p.pid], o)
		return
	}
	l.complete(&c, rest, at)
}

// complete performs a call whose result stands at the end of rest.
func (l *ltraceLog) complete(c *call, rest []byte, at traceio.Alloc) {
	rest, at.Latency = spent(rest)
	i := bytes.LastIndex(rest, []byte("= "))
	if i < 0 {
		l.lose(unfinished)
		return
	}
	result, ok := integer(rest[i+2:])
	if !ok && actionOf(c.name) != release && string(rest[i+2:]) != "nil" {
		l.lose(badNumber)
		return
	}
	first := len(l.out)
	if !l.perform(c, result, at) {
		l.lose(badNumber)
	}
	l.pair(l.out[first:])
}

// ltraceWhole is log.whole: what is no number at the end of a line cannot have lost digits.
func ltraceWhole(line []byte) bool {
	for _, end := range []string{"<unfinished ...>", "= <void>", "= nil"} {
		if bytes.HasSuffix(line, []byte(end)) {
			return true
		}
	}
	if rest, _ := spent(line); len(rest) < len(line) {
		return true
	}
	text := string(ltracePrefix(line).text)
	return len(text) > len("+++  +++") && (strings.HasPrefix(text, "+++ ") && strings.HasSuffix(text, " +++") ||
		strings.HasPrefix(text, "--- ") && strings.HasSuffix(text, " ---"))
}

// spent takes off what -T adds behind the result, the time that the call took: " <0.000123>".
func spent(rest []byte) ([]byte, traceio.Ticks) {
	i := bytes.LastIndex(rest, []byte(" <"))
	if i < 0 || rest[len(rest)-1] != '>' {
		return rest, 0
	}
	whole, fraction, _ := bytes.Cut(rest[i+2:len(rest)-1], []byte{'.'})
	seconds, ok1 := decimal(whole)
	micros, ok2 := decimal(fraction)
	if !ok1 || !ok2 || len(fraction) != 6 || seconds > 1<<32 {
		return rest, 0
	}
	return bytes.TrimRight(rest[:i], " "), traceio.Ticks(seconds*1e9 + micros*1e3)
}

// resume ends a call that was left open.
func (l *ltraceLog) resume(p *prefix, rest []byte) {
	name, _, ok := bytes.Cut(rest, []byte(" resumed>"))
	if !ok {
		l.lose(otherText)
		return
	}
	l.used++
	if actionOf(name) == nothing {
		return
	}
	open := l.open[p.pid]
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].name == string(name) {
			o := open[i]
			l.open[p.pid] = append(open[:i], open[i+1:]...)
			l.complete(&o.call, rest, o.at)
			return
		}
	}
	l.lose(unfinished)
}

// clock keeps the time since the first line. By half a day or more it goes back at midnight only; else the log is
// wrong, which is for who analyses it to tell.
func (l *ltraceLog) clock(p *prefix) {
	if !p.timed {
		return
	}
	if !l.timed {
		l.timed, l.began, l.prog.Ticking = true, p.time, true
	}
	switch {
	case p.time >= l.began:
		l.ticks = p.time - l.began
	case l.began-p.time >= day/2:
		l.ticks = p.time + day - l.began
	default:
		l.ticks = 0
	}
}

func (l *ltraceLog) thread(pid uint64) traceio.Thread {
	t, ok := l.threads[pid]
	if !ok {
		if len(l.threads) >= 1<<16 {
			l.lose(manyThreads)
			return 1<<16 - 1
		}
		t = traceio.Thread(len(l.threads))
		l.threads[pid] = t
	}
	return t
}

func (l *ltraceLog) tell() {
	for _, open := range l.open {
		for range open {
			l.lose(unfinished)
		}
	}
	l.prog.Stacks = l.list
}
