// Package words writes numbers as people read them, the same way in every view.
package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count writes a number with its thousands apart: "2 113".
func Count[T ~int | ~int64 | ~uint64](n T) string {
	d := strconv.FormatInt(int64(n), 10)
	for i := len(d) - 3; i > 0 && d[i-1] != '-'; i -= 3 {
		d = d[:i] + " " + d[i:]
	}
	return d
}

// Bytes writes a size with a binary unit: "56 B", "1.2 KiB", "12 MiB".
func Bytes(n uint64) string {
	if n < 1024 {
		return strconv.FormatUint(n, 10) + " B"
	}
	v, unit := float64(n), 0
	for v >= 1023.95 && unit < 4 {
		v /= 1024
		unit++
	}
	prec := 1
	if v >= 99.95 {
		prec = 0
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', prec, 64), ".0") + " " + [...]string{"B", "KiB", "MiB", "GiB", "TiB"}[unit]
}

// Sentence writes an error as a sentence: "nothing recurs; choose ..." begins with a capital and ends with a full stop.
func Sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + strings.TrimSuffix(text[n:], ".") + "."
}
