package words

import (
	"math"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1 000", 12345: "12 345", 1234567: "1 234 567",
		-5: "-5", -500: "-500", -1234: "-1 234"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 2: "2 rows", 1001: "1 001 rows"} {
		if got := Plural(n, "row"); got != want {
			t.Errorf("Plural(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1229: "1.2 KiB",
		102_300: "99.9 KiB", 102_400: "100 KiB",
		1<<20 - 1: "1 MiB", 12 << 20: "12 MiB", 3 << 40: "3 TiB", 1 << 60: "1048576 TiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		" ":                                    "",
		"nothing recurs; choose another range": "Nothing recurs; choose another range.",
		"écrit.":                               "Écrit.",
		"stopped: no":                          "Stopped: no.",
		"run.lackey:12: it was cut.":           "run.lackey:12: it was cut.",
		"./a is no file":                       "./a is no file.",
		"don't":                                "Don't.",
		"9 are too few":                        "9 are too few.",
		"will it open?":                        "Will it open?",
		"reading …":                            "Reading …",
		"the file was cut.\n":                  "The file was cut.",
		"...":                                  "...",
		"\xff is no letter":                    "\xff is no letter.",
		"It is a sentence already.":            "It is a sentence already.",
		"a.orr was cut (kept open)":            "a.orr was cut (kept open).",
		"ß is a word of one letter":            "ß is a word of one letter.",
		"no such file or directory: ":          "No such file or directory.",
	} {
		got := Sentence(text)
		if got != want {
			t.Errorf("Sentence(%q) = %q, want %q", text, got, want)
		}
		if again := Sentence(got); again != got {
			t.Errorf("the sentence %q is written as %q", got, again)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 195: "195", 12400.4: "12 400", 34.2123: "34.21", 0.0031234: "0.003123",
		0.5: "0.5", 1230.4: "1230", -2.5: "-2.5", 1.2e9: "1.2e+09", 0.000001: "1e-06"} {
		if got := Number(v); got != want {
			t.Errorf("Number(%g) = %q, want %q", v, got, want)
		}
	}
	if got := Number(math.NaN()); got != "–" {
		t.Errorf("no number is %q", got)
	}
}
