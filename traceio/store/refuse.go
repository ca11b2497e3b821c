package store

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// known are files that are no recordings but that people hand us, by their first bytes.
var known = []struct{ magic, what, hint string }{
	{"\x7fELF", "this is an ELF program or library, not a recording", "record it with `orrery record -- %s`"},
	{"#!", "this is a script, not a recording", "record its interpreter with `orrery record -- INTERPRETER %s`"},
	{"\xff\xfe", "this is text in UTF-16, which Orrery does not read", "save it as plain text, UTF-8"},
	{"\xfe\xff", "this is text in UTF-16, which Orrery does not read", "save it as plain text, UTF-8"},
	{"PERFILE2", "this is perf data, which holds samples and not every reference", "record the program with `orrery record -- PROGRAM`"},
	{"\x89ORR", "this is an Orrery recording whose first bytes were changed by a copy as text", "copy it again as binary"},
	{"PK\x03\x04", "this is a zip archive, which Orrery does not read", "unpack it and open what is inside"},
	{"\x1f\x8b", "this is compressed twice", "decompress it once with gunzip"},
	{"\x28\xb5\x2f\xfd", "this is compressed twice", "decompress it once with unzstd"},
	{"\xfd7zXZ\x00", "this is compressed twice", "decompress it once with unxz"},
	{"BZh", "this is compressed with bzip2, which Orrery does not read", "decompress it with bunzip2"},
	{"\x04\x22\x4d\x18", "this is compressed with lz4, which Orrery does not read", "decompress it with unlz4"},
	{"\x89PNG", "this is a PNG picture, not a recording", ""},
	{"\xff\xd8\xff", "this is a JPEG picture, not a recording", ""},
	{"GIF8", "this is a GIF picture, not a recording", ""},
	{"%PDF", "this is a PDF document, not a recording", ""},
	{"SQLite format 3\x00", "this is an SQLite database, not a recording", ""},
	{"!<arch>\n", "this is an archive of object files, not a recording", ""},
}

// refuse names what a file is that no reader takes. head is not empty.
func refuse(head []byte, path, packing string) error {
	e := &traceio.Error{File: path}
	if packing != "" && bytes.HasPrefix(head, []byte("\x89ORR")) {
		e.Msg = "this is an Orrery recording inside " + packing
		e.Hint = "decompress it; the format is compressed already"
		return e
	}
	if orr.Magic(head) {
		e.Msg, e.Hint = "this is an Orrery recording in a pipe, where blocks cannot be read out of order", "save it in a file first"
		return e
	}
	for _, k := range known {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			e.Msg, e.Hint = k.what, k.hint
			if strings.Contains(e.Hint, "%s") {
				e.Hint = fmt.Sprintf(e.Hint, command(path))
			}
			return e
		}
	}
	if tool := valgrindTool(head); tool != "" {
		e.Msg = fmt.Sprintf("this is the output of valgrind's tool %s, which records no references", tool)
		e.Hint = "run valgrind with --tool=lackey --trace-mem=yes, or use `orrery record -- PROGRAM`"
		return e
	}
	if !text(head) {
		e.Msg = fmt.Sprintf("the first bytes, % x, belong to no format that Orrery reads", head[:min(8, len(head))])
		e.Hint = "was the file damaged, or is it meant for another program?"
		return e
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n\t "), []byte{'\n'})
	e.Msg = fmt.Sprintf("the file is text but no recording; it begins with %q", shorten(string(line)))
	e.Hint = "Orrery reads its own .orr files and the output of valgrind --tool=lackey --trace-mem=yes"
	return e
}

// command writes a path so that a shell runs it as a program.
func command(path string) string {
	if !strings.ContainsRune(path, filepath.Separator) {
		return "./" + path
	}
	return path
}

// valgrindTool finds the tool in a first line such as "==12== Memcheck, a memory error detector".
func valgrindTool(head []byte) string {
	if !bytes.HasPrefix(head, []byte("==")) {
		return ""
	}
	line, _, _ := bytes.Cut(head[2:], []byte{'\n'})
	_, rest, ok := bytes.Cut(line, []byte("== "))
	if !ok {
		return ""
	}
	tool, _, ok := bytes.Cut(rest, []byte(", a"))
	if !ok {
		return ""
	}
	return shorten(string(tool))
}

// text tells whether bytes could be text: valid UTF-8 but for a cut last rune, and no control characters but blanks.
func text(head []byte) bool {
	for i := 0; i < len(head); {
		c, n := utf8.DecodeRune(head[i:])
		if c == utf8.RuneError && n <= 1 && len(head)-i >= utf8.UTFMax {
			return false
		}
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b' {
			return false
		}
		i += max(n, 1)
	}
	return true
}

func shorten(s string) string {
	s = strings.TrimRight(s, "\r ")
	if len(s) <= 40 {
		return s
	}
	cut := 40
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
