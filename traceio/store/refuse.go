package store

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"orrery/traceio"
	"orrery/traceio/drmemtrace"
)

// known are files that are no recordings but that people hand us, by their first bytes.
var known = []struct{ magic, what, hint string }{
	{"\x7fELF", "this is an ELF program or library, not a recording", "record it with `orrery record -- %s`"},
	{"#!", "this is a script, not a recording", "record its interpreter with `orrery record -- INTERPRETER %s`"},
	{"\xff\xfe", "this is text in UTF-16, which Orrery does not read", "save it as plain text, UTF-8"},
	{"\xfe\xff", "this is text in UTF-16, which Orrery does not read", "save it as plain text, UTF-8"},
	{"PERFILE2", "this is perf data, which holds samples and not every reference",
		"record the program with `orrery record -- PROGRAM`"},
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
	{"PAR1", "this is a Parquet table, which Orrery writes but does not read",
		"export the recording as CSV to read it back"},
	{"\xff\x06\x00\x00sNaPpY", "this is compressed with snappy, as DynamoRIO's raw traces are; Orrery does not read it",
		"run drrun -t drmemtrace -indir DIRECTORY, and open the *.trace.zip in DIRECTORY/trace"},
	{"PERFFILE", "this is perf data, which holds samples and not every reference",
		"record the program with `orrery record -- PROGRAM`"},
	{"\xc1\x1f\xfc\xc1", "this is a trace of events in CTF, not of references",
		"record the program with `orrery record -- PROGRAM`"},
	{"{\"traceEvents\"", "this is a trace of events for Chrome's viewer, not of references",
		"record the program with `orrery record -- PROGRAM`"},
	{"# callgrind format", "this is a profile by callgrind, which holds sums and not every reference",
		"run valgrind with --tool=lackey --trace-mem=yes"},
	{"desc: ", "this is a profile by cachegrind or massif, which holds sums and not every reference",
		"run valgrind with --tool=lackey --trace-mem=yes"},
	{"heap profile:", "this is a heap profile by gperftools, which holds sums and not every allocation",
		"record the program with `orrery record -- PROGRAM`"},
	{"JAVA PROFILE ", "this is a heap dump of Java, not a recording", ""},
	{"!<arch>\n", "this is an archive of object files, not a recording", ""},
}

// shaped are files without a signature of their own that people hand us.
var shaped = []struct {
	is         func(head []byte) bool
	what, hint string
}{
	{drmemtrace.Raw,
		"this is a raw trace of DynamoRIO's drmemtrace, which stands for references that only raw2trace can work out",
		"run drrun -t drmemtrace -indir DIRECTORY, and open the *.trace.zip or *.trace.gz in DIRECTORY/trace"},
	{pprof, "this is a profile for pprof, which holds samples and not every reference",
		"record the program with `orrery record -- PROGRAM`"},
}

// pprof tells whether head begins a Profile of google/pprof: field 1, a ValueType, whose two fields are small numbers
// (indexes of strings).
func pprof(head []byte) bool {
	return len(head) > 8 && head[0] == 0x0a && head[1] == 4 && head[2] == 0x08 && head[3] < 0x80 &&
		head[4] == 0x10 && head[5] < 0x80
}

// refuse names what a file is that no reader takes. head is not empty.
func refuse(head []byte, path string) *traceio.Error {
	e := &traceio.Error{File: path}
	for _, k := range known {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			e.Msg, e.Hint = k.what, k.hint
			if strings.Contains(e.Hint, "%s") {
				e.Hint = fmt.Sprintf(e.Hint, command(path))
			}
			return e
		}
	}
	for _, k := range shaped {
		if k.is(head) {
			e.Msg, e.Hint = k.what, k.hint
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
	begin := bytes.TrimLeft(head, "\r\n\t ")
	if len(begin) == 0 {
		e.Msg = fmt.Sprintf("the file begins with %d blanks and line ends and is no recording", len(head))
		e.Hint = "Orrery reads " + readable
		return e
	}
	line, _, _ := bytes.Cut(begin, []byte{'\n'})
	e.Line = 1 + bytes.Count(head[:len(head)-len(begin)], []byte{'\n'})
	e.Msg = fmt.Sprintf("the file is text but no recording; it begins with %q", shorten(string(line)))
	e.Hint = "Orrery reads " + readable
	return e
}

// readable is what Orrery reads, for people.
const readable = "its own .orr files, output of valgrind --tool=lackey --trace-mem=yes, traces of drmemtrace, " +
	"pinatrace, ChampSim, din, " +
	"gem5 packets, CSV tables with a column address, and allocation logs such as those of mtrace and heaptrack --raw"

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
