package traceio

import "bytes"

// Hex reads a hexadecimal number below 2^64, with or without 0x in front.
func Hex(s []byte) (x uint64, ok bool) {
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s = s[2:]
	}
	for len(s) > 16 && s[0] == '0' {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > 16 {
		return 0, false
	}
	for _, c := range s {
		d := hexDigit[c]
		if d > 15 {
			return 0, false
		}
		x = x<<4 | uint64(d)
	}
	return x, true
}

// hexDigit is the value of a hexadecimal digit, 255 for any other byte.
var hexDigit = func() (t [256]uint8) {
	for i := range t {
		t[i] = 255
	}
	for d, c := range "0123456789abcdef" {
		t[c] = uint8(d)
	}
	for d, c := range "ABCDEF" {
		t[c] = uint8(10 + d)
	}
	return t
}()

// Decimal reads a decimal number below 2^64.
func Decimal(s []byte) (x uint64, ok bool) {
	if len(s) == 0 {
		return 0, false
	}
	for _, c := range s {
		d := uint64(c - '0')
		if d > 9 || x > (1<<64-1-d)/10 {
			return 0, false
		}
		x = x*10 + d
	}
	return x, true
}

// Word cuts the first word off a text and gives what follows it, without blanks in front.
func Word(s []byte) (word, rest []byte) {
	s = bytes.TrimLeft(s, " \t")
	i := bytes.IndexAny(s, " \t")
	if i < 0 {
		return s, nil
	}
	return s[:i], bytes.TrimLeft(s[i:], " \t")
}
