// Package words writes numbers as people read them, the same way in every view.
package words

import (
	"math"
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

// Plural counts things whose name takes an s: "1 block", "2 113 blocks".
func Plural[T ~int | ~int64 | ~uint64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
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
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', prec, 64), ".0") + " " + [...]string{"B", "KiB",
		"MiB", "GiB", "TiB"}[unit]
}

// Sentence writes an error as a sentence: "nothing recurs; choose ..." begins with a capital and ends with a full stop,
// unless another sign ends it. What is no plain word, such as the name of a file, begins as it is written. A sentence
// stays as it is.
func Sentence(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), " \t\n:;,")
	if text == "" {
		return ""
	}
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "!") && !strings.HasSuffix(text, "?") &&
		!strings.HasSuffix(text, "…") {
		text += "."
	}
	first, _, _ := strings.Cut(text, " ")
	if strings.ContainsFunc(strings.TrimRight(first, ",;:.!?…"),
		func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }) {
		return text
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// Number writes a measured number with as many digits as tell it apart: "34.21", "0.00312", "12 400", "1.2e+09".
func Number(v float64) string {
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return "–"
	case a >= 1e9 || a != 0 && a < 1e-5:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 9999.5:
		return Count(int64(math.Round(v)))
	case a == 0 || a == math.Trunc(a):
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	text := strconv.FormatFloat(v, 'f', max(0, 3-int(math.Floor(math.Log10(a)))), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
