package csv

import "orrery/traceio"

// number reads a number: hexadecimal with 0x in front or where the column is, else decimal.
func number(f []byte, hex bool) (uint64, bool) {
	if hex || len(f) > 2 && f[0] == '0' && f[1]|0x20 == 'x' {
		return traceio.Hex(f)
	}
	return traceio.Decimal(f)
}

// hexadecimal tells whether a number must be one: it has 0x in front or a letter in it.
func hexadecimal(f []byte) bool {
	for _, c := range f {
		if c|0x20 >= 'a' && c|0x20 <= 'f' || c|0x20 == 'x' {
			_, ok := traceio.Hex(f)
			return ok
		}
	}
	return false
}

// kindOf reads a word of a kind column. modify stands for a load, then a store.
func kindOf(f []byte) (k traceio.Kind, modify, ok bool) {
	var buf [8]byte
	if len(f) == 0 || len(f) > len(buf) {
		return 0, false, false
	}
	word := buf[:len(f)]
	for i, c := range f {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		word[i] = c
	}
	switch string(word) {
	case "load", "l", "r", "read", "ld", "rd", "0", "false", "readreq":
		return traceio.Load, false, true
	case "store", "s", "w", "write", "st", "wr", "1", "true", "writereq":
		return traceio.Store, false, true
	case "fetch", "f", "i", "ifetch", "x", "exec", "2", "instr", "inst":
		return traceio.Fetch, false, true
	case "modify", "m", "rw", "update":
		return traceio.Load, true, true
	}
	return 0, false, false
}

// parse reads one line of a table. id is what its thread column says; modify asks for a store behind the load; bad is a
// kind of loss. fs is memory to use.
func (l *layout) parse(line []byte, fs *[][]byte) (a traceio.Access, extra extras, modify bool, bad string) {
	var own [][]byte
	if fs == nil {
		fs = &own
	}
	*fs = l.split(line, *fs)
	f := *fs
	if extra.field = l.at[address]; extra.field >= len(f) {
		return a, extra, false, "missing-field"
	}
	addr, ok := number(f[l.at[address]], l.hex[address])
	if !ok {
		return a, extra, false, "bad-address"
	}
	a.Addr, a.Size = traceio.Addr(addr), traceio.NaturalSize(traceio.Addr(addr))
	if at := l.at[kind]; at >= 0 {
		if extra.field = at; at >= len(f) {
			return a, extra, false, "missing-field"
		}
		if a.Kind, modify, ok = kindOf(f[at]); !ok {
			return a, extra, false, "bad-kind"
		}
	}
	if at := l.at[size]; at >= 0 && at < len(f) {
		extra.field = at
		n, ok := number(f[at], false)
		if !ok || n == 0 || n > 1<<16-1 {
			return a, extra, false, "bad-size"
		}
		a.Size = uint16(n)
	}
	if extra.field = l.at[address]; addr+uint64(a.Size)-1 < addr {
		return a, extra, false, "bad-address"
	}
	if at := l.at[pc]; at >= 0 && at < len(f) && len(f[at]) > 0 {
		extra.field = at
		x, ok := number(f[at], l.hex[pc])
		if !ok {
			return a, extra, false, "bad-pc"
		}
		a.PC = traceio.Addr(x)
	}
	if a.Kind == traceio.Fetch {
		a.PC = a.Addr
	}
	if at := l.at[thread]; at >= 0 && at < len(f) {
		extra.field = at
		if extra.thread, ok = number(f[at], false); !ok {
			return a, extra, false, "bad-thread"
		}
	}
	if at := l.at[seq]; at >= 0 && at < len(f) {
		extra.field = at
		if extra.seq, ok = number(f[at], false); !ok {
			return a, extra, false, "bad-seq"
		}
	}
	return a, extra, modify, ""
}

// extras are the columns of a line that need the lines before it, and of a bad line the field that is bad, from 0.
type extras struct {
	thread, seq uint64
	field       int
}
