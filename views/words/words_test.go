package words

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1 000", 12345: "12 345", 1234567: "1 234 567", -5: "-5", -500: "-500", -1234: "-1 234"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1229: "1.2 KiB", 102_300: "99.9 KiB", 102_400: "100 KiB",
		1<<20 - 1: "1 MiB", 12 << 20: "12 MiB", 3 << 40: "3 TiB", 1 << 60: "1048576 TiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{"": "", "nothing recurs; choose another range": "Nothing recurs; choose another range.", "écrit.": "Écrit.", "9 are too few": "9 are too few."} {
		if got := Sentence(text); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", text, got, want)
		}
	}
}
