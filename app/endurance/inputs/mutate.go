package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// largest bounds what edits make of a file; packed bombs are larger only when they are unpacked.
const largest = 8 << 20

// edit changes data, which it may write to; other is a second good file of the same format.
type edit struct {
	name   string
	weight int
	apply  func(r *rand.Rand, data, other []byte) []byte
}

// edits are all of them. What makes a file long is rare: it costs as much as hundreds of others.
var edits = []edit{
	{"bit", 16, flipBit},
	{"byte", 16, setByte},
	{"word", 16, setWord},
	{"number", 24, setNumber},
	{"cut", 8, func(r *rand.Rand, data, _ []byte) []byte { return data[:at(r, data)] }},
	{"behead", 2, func(r *rand.Rand, data, _ []byte) []byte { return data[at(r, data):] }},
	{"splice", 6, func(r *rand.Rand, data, other []byte) []byte { return join(data[:at(r, data)], other[at(r, other):]) }},
	{"append", 1, func(_ *rand.Rand, data, other []byte) []byte { return join(data, other) }},
	{
		"remove",
		8,
		func(r *rand.Rand, data, _ []byte) []byte { i, k := stretch(r, data); return slices.Delete(data, i, k) },
	},
	{"repeat", 6, repeatBlock},
	{"swap", 6, swapBlocks},
	{"insert", 8, insertText},
	{"line", 12, editLine},
	{"token", 12, swapTokens},
	{"nest", 1, nest},
	{"long line", 1, longLine},
}

var editWeight = func() (sum int) {
	for _, e := range edits {
		sum += e.weight
	}
	return sum
}()

// mutate applies one edit or a few and gives their names.
func mutate(r *rand.Rand, good, other []byte) (data []byte, names []string) {
	data = slices.Clone(good)
	for n := 1 + few(r); n > 0; n-- {
		k := r.IntN(editWeight)
		for _, e := range edits {
			if k -= e.weight; k < 0 {
				data = e.apply(r, data, other)
				names = append(names, e.name)
				break
			}
		}
		if len(data) > largest {
			data = data[:largest]
		}
	}
	return data, names
}

// few is 0 in half of all cases, 1 in a quarter, and so on up to 6.
func few(r *rand.Rand) (n int) {
	for n < 6 && r.IntN(2) == 0 {
		n++
	}
	return n
}

// at is a place in data; the beginning and the end, where headers and indexes are, come more often.
func at(r *rand.Rand, data []byte) int {
	n := len(data)
	switch r.IntN(6) {
	case 0:
		return r.IntN(min(n, 128) + 1)
	case 1:
		return n - r.IntN(min(n, 128)+1)
	}
	return r.IntN(n + 1)
}

// stretch is a block of data, short more often than long.
func stretch(r *rand.Rand, data []byte) (i, k int) {
	i = at(r, data)
	return i, min(len(data), i+r.IntN(1<<r.IntN(14)))
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func insert(data []byte, i int, more string) []byte { return slices.Insert(data, i, []byte(more)...) }

func flipBit(r *rand.Rand, data, _ []byte) []byte {
	if i := at(r, data); i < len(data) {
		data[i] ^= 1 << r.IntN(8)
	}
	return data
}

// boundaries are where counting goes wrong.
var boundaries = []uint64{
	0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x10001, 0x7fffffff, 0x80000000, 0xffffffff,
	1 << 32, 1 << 47, 1<<48 - 1, 1<<53 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 4096, 1<<64 - 2, 1<<64 - 1,
}

// marks are characters that formats give a meaning.
const marks = " \t\r\n,;:=\"'<>(){}[]|#-+.0\x1b\x00/\\"

func setByte(r *rand.Rand, data, _ []byte) []byte {
	i := at(r, data)
	if i == len(data) {
		return data
	}
	switch r.IntN(3) {
	case 0:
		data[i] = byte(boundaries[r.IntN(6)])
	case 1:
		data[i] = marks[r.IntN(len(marks))]
	default:
		data[i] = byte(r.IntN(256))
	}
	return data
}

// setWord writes a boundary, or a small distance from what stands there, over 2, 4 or 8 bytes, or a varint.
func setWord(r *rand.Rand, data, _ []byte) []byte {
	width := 2 << r.IntN(3)
	i := at(r, data)
	if i+width > len(data) {
		return data
	}
	v := boundaries[r.IntN(len(boundaries))]
	var order binary.ByteOrder = binary.LittleEndian
	if r.IntN(8) == 0 {
		order = binary.BigEndian
	}
	field := make([]byte, 8)
	switch width {
	case 2:
		if r.IntN(3) == 0 {
			v = uint64(order.Uint16(data[i:])) + uint64(r.IntN(9)) - 4
		}
		order.PutUint16(field, uint16(v))
	case 4:
		if r.IntN(3) == 0 {
			v = uint64(order.Uint32(data[i:])) + uint64(r.IntN(9)) - 4
		}
		order.PutUint32(field, uint32(v))
	default:
		if r.IntN(3) == 0 {
			v = order.Uint64(data[i:]) + uint64(r.IntN(9)) - 4
		}
		order.PutUint64(field, v)
	}
	if r.IntN(8) == 0 {
		return slices.Replace(data, i, i+1, binary.AppendUvarint(nil, v)...)
	}
	copy(data[i:i+width], field)
	return data
}

// numbers are texts that stand where a number did.
var numbers = []string{
	"0", "-1", "1", "2", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807",
	"9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616",
	"99999999999999999999999",
	"1e308", "1e309", "-1e999", "1e-400", "NaN", "Inf", "-Infinity", "0x", "0xffffffffffffffff",
	"0x10000000000000000", "-0",
	"0.1", "1,5", "1_000", "00000000000000000000000001", "+7", "",
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// setNumber changes a number that is written in text.
func setNumber(r *rand.Rand, data, other []byte) []byte {
	i := at(r, data)
	for i < len(data) && !digit(data[i]) {
		i++
	}
	k := i
	for k < len(data) && digit(data[k]) {
		k++
	}
	if i == k {
		return setWord(r, data, other)
	}
	text := numbers[r.IntN(len(numbers))]
	if old, err := strconv.ParseInt(string(data[i:k]), 10, 64); err == nil && r.IntN(3) == 0 {
		text = strconv.FormatInt(old+int64(r.IntN(9))-4, 10)
	}
	return slices.Replace(data, i, k, []byte(text)...)
}

func repeatBlock(r *rand.Rand, data, _ []byte) []byte {
	i, k := stretch(r, data)
	times := 1 + few(r)
	if r.IntN(64) == 0 {
		times = 1 << r.IntN(10)
	}
	if (k-i)*times > largest {
		times = 1
	}
	return join(data[:k], bytes.Repeat(data[i:k], times), data[k:])
}

func swapBlocks(r *rand.Rand, data, _ []byte) []byte {
	a, b := stretch(r, data)
	c, d := stretch(r, data)
	if c < a {
		a, b, c, d = c, d, a, b
	}
	b = min(b, c)
	return join(data[:a], data[c:d], data[b:c], data[a:b], data[d:])
}

// texts are what no writer of a format thought of.
var texts = []string{
	"\x1b]0;owned\x07", "\x1b[2J", "\u202egpj.exe", "\xff\xfe", "\xc0\x80", "\x00", "\r\n", "\ufeff", "null", "NaN",
	"{}", "[]", `""`, `\u0000`,
	"%s%n", "../../../../etc/passwd", "<!--", "]]>", "&lt;&#0;", "<a b='", `"`, "'", "`", "//", "/*", "\\", "\u2028",
	"𝔘", "\u0301", "=", ",,,,", ";", "\n\n",
	"__proto__", "$(id)", "-",
}

func insertText(r *rand.Rand, data, _ []byte) []byte {
	text := []byte(texts[r.IntN(len(texts))])
	if r.IntN(4) == 0 {
		text = make([]byte, 1+r.IntN(40))
		for i := range text {
			text[i] = byte(r.IntN(256))
		}
	}
	return insert(data, at(r, data), string(text))
}

// editLine takes out a line, writes it twice, puts it elsewhere, or empties it.
func editLine(r *rand.Rand, data, _ []byte) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	i, k := r.IntN(len(lines)), r.IntN(len(lines))
	switch r.IntN(4) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, k, lines[i])
	case 2:
		lines[i], lines[k] = lines[k], lines[i]
	default:
		lines[i] = []byte("\n")
	}
	return join(lines...)
}

func wordOf(c byte) bool {
	return digit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.'
}

// token is the first run of letters and digits behind a place.
func token(r *rand.Rand, data []byte) (i, k int) {
	i = at(r, data)
	for i < len(data) && !wordOf(data[i]) {
		i++
	}
	for k = i; k < len(data) && wordOf(data[k]); {
		k++
	}
	return i, k
}

// swapTokens puts one word in the place of another, or exchanges them.
func swapTokens(r *rand.Rand, data, _ []byte) []byte {
	a, b := token(r, data)
	c, d := token(r, data)
	if c < a {
		a, b, c, d = c, d, a, b
	}
	if b > c {
		return data
	}
	second := data[a:b]
	if r.IntN(2) == 0 {
		second = data[c:d]
	}
	return join(data[:a], data[c:d], data[b:c], second, data[d:])
}

// openings are what formats nest.
var openings = []string{
	"(",
	"[",
	"{",
	`{"a":`,
	"[[",
	"<a>",
	"<group>",
	"subgraph{",
	"a=[",
	"\"",
	"<p name='a'>",
	"- ",
	"*",
	"&",
	"_Z1fIN",
	"!",
	"[a,",
}

// nest opens the same thing very often and closes nothing.
func nest(r *rand.Rand, data, _ []byte) []byte {
	open := openings[r.IntN(len(openings))]
	return insert(data, at(r, data), strings.Repeat(open, 10<<r.IntN(15)))
}

func longLine(r *rand.Rand, data, _ []byte) []byte {
	fill := []string{"a", " ", "9", "x y ", ",", "1,", "\t", "\x00", "\"a\","}[r.IntN(9)]
	return insert(data, at(r, data), strings.Repeat(fill, 100<<r.IntN(15)))
}
