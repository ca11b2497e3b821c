package lackey

import (
	"bytes"
	"math/bits"
	"strconv"

	"orrery/traceio"
)

// trailingBytes counts the bytes below the first byte of x whose high bit is set.
func trailingBytes(x uint64) int { return bits.TrailingZeros64(x) / 8 }

// byteOrderMark is what editors of Windows put in front of a text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// slow takes any line that fast left alone.
func (r *Reader) slow(line []byte, c *columns) {
	if r.lines == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	line = bytes.TrimRight(line, " \t\r")
	if len(line) == 0 {
		return
	}
	if isChatter(line) {
		r.chatter(line, c)
		return
	}
	rec, bad := parse(line)
	if bad != fine {
		r.loss.Add(int(bad), r.lines)
		return
	}
	switch rec.letter {
	case 'I':
		r.pc = rec.addr
		c.add(traceio.Fetch, rec.addr, rec.addr, rec.size, r.thread)
		c.fetches++
	case 'L':
		c.add(traceio.Load, rec.addr, r.pc, rec.size, r.thread)
	case 'S':
		c.add(traceio.Store, rec.addr, r.pc, rec.size, r.thread)
	case 'M':
		c.add(traceio.Load, rec.addr, r.pc, rec.size, r.thread)
		c.add(traceio.Store, rec.addr, r.pc, rec.size, r.thread)
	}
}

// record is one parsed line.
type record struct {
	letter byte // I, L, S or M
	addr   traceio.Addr
	size   uint16
}

// parse reads "LETTER ADDRESS,SIZE" with any blanks in front of letter and address.
func parse(line []byte) (record, badness) {
	line = bytes.TrimLeft(line, " \t")
	if len(line) < 2 || (line[1] != ' ' && line[1] != '\t') {
		return record{}, otherText
	}
	rec := record{letter: line[0]}
	if rec.letter != 'I' && rec.letter != 'L' && rec.letter != 'S' && rec.letter != 'M' {
		return record{}, otherText
	}
	line = bytes.TrimLeft(line[2:], " \t")
	comma := bytes.IndexByte(line, ',')
	if comma < 0 {
		return record{}, otherText
	}
	digits := bytes.TrimPrefix(line[:comma], []byte("0x"))
	if len(digits) == 0 || len(digits) > 16 {
		return record{}, badAddress
	}
	var a uint64
	for _, ch := range digits {
		d := hexValue[ch]
		if d > 15 {
			return record{}, badAddress
		}
		a = a<<4 | uint64(d)
	}
	var size uint64
	digits = line[comma+1:]
	if len(digits) == 0 || len(digits) > 5 {
		return record{}, badSize
	}
	for _, ch := range digits {
		if ch < '0' || ch > '9' {
			return record{}, badSize
		}
		size = size*10 + uint64(ch-'0')
	}
	if size == 0 || size > 1<<16-1 {
		return record{}, badSize
	}
	if a+size-1 < a {
		return record{}, badAddress // reaches over the end of the address space
	}
	rec.addr, rec.size = traceio.Addr(a), uint16(size)
	return rec, fine
}

// isChatter recognises valgrind's own lines: ==PID==, --PID--, **PID**, superblock lines and the notes of its debug
// information reader that come with -v -v without a prefix.
func isChatter(line []byte) bool {
	if len(line) < 2 {
		return false
	}
	switch string(line[:2]) {
	case "==", "--", "**":
		return true
	case "0x":
		return bytes.Contains(line, []byte(": [0]={"))
	}
	return bytes.HasPrefix(line, []byte("SB "))
}

// whole tells whether a line without an end can stand as it is.
func whole(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	if len(line) == 0 || isChatter(line) {
		return true
	}
	_, bad := parse(line)
	return bad == fine
}

// chatter learns what it can from one of valgrind's own lines.
func (r *Reader) chatter(line []byte, c *columns) {
	mark := line[:2]
	i := bytes.Index(line[2:], mark)
	if i < 0 {
		return
	}
	text := bytes.TrimLeft(line[2+i+2:], " ")
	if rest, ok := bytes.CutPrefix(text, []byte("Command: ")); ok && r.prog.Command == nil {
		for _, word := range bytes.Fields(rest) {
			r.prog.Command = append(r.prog.Command, string(word))
		}
	} else if rest, ok := bytes.CutPrefix(text, []byte("Reading syms from ")); ok {
		r.module = string(rest)
	} else if rest, ok := bytes.CutPrefix(text, []byte("svma ")); ok {
		r.addModule(string(rest))
	} else if rest, ok := bytes.CutPrefix(text, []byte("SCHED[")); ok {
		r.schedule(rest, c)
	}
}

// schedule takes "1]:  acquired lock (...)" and its kin. The thread that acquires valgrind's one lock runs.
func (r *Reader) schedule(text []byte, c *columns) {
	number, what, ok := bytes.Cut(text, []byte("]:"))
	if !ok {
		return
	}
	id, err := strconv.Atoi(string(number))
	if err != nil {
		return
	}
	what = bytes.TrimLeft(what, " ")
	at := r.seq + traceio.Seq(c.n-c.fetches)
	switch {
	case bytes.HasPrefix(what, []byte("acquired lock")):
		r.thread = r.dense(id, at)
	case bytes.HasPrefix(what, []byte("exiting VG_(scheduler)")):
		if t, ok := r.threads[id]; ok {
			r.marks = append(r.marks, traceio.Mark{Seq: at, Thread: t, Kind: traceio.ThreadEnd})
			delete(r.threads, id)
		}
	}
}

// dense numbers threads in the order of their first run.
func (r *Reader) dense(id int, at traceio.Seq) traceio.Thread {
	t, ok := r.threads[id]
	if !ok {
		t = traceio.Thread(min(r.nthread, 1<<16-1))
		if r.nthread >= 1<<16 {
			r.loss.Add(int(manyThreads), r.lines)
		}
		r.nthread++
		r.threads[id] = t
		r.marks = append(r.marks, traceio.Mark{Seq: at, Thread: t, Kind: traceio.ThreadStart})
	}
	return t
}
