package traceio

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestNumbersAgreeWithStrconv reads what strconv writes, and refuses what it refuses.
func TestNumbersAgreeWithStrconv(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "0", "0x", "x1", "-1", "+1", "1_0", "18446744073709551615", "18446744073709551616",
		"99999999999999999999", "0000000000000000000012", "ffffffffffffffff", "1ffffffffffffffff", "g", " 1", "0X1f", "é"}
	for range 5000 {
		x := rnd.Uint64() >> rnd.IntN(64)
		texts = append(texts, strconv.FormatUint(x, 10), strings.ToUpper(strconv.FormatUint(x, 16)),
			"0x"+strconv.FormatUint(x, 16))
	}
	for _, s := range texts {
		bare := s
		if len(s) > 2 && strings.EqualFold(s[:2], "0x") {
			bare = s[2:]
		}
		want, err := strconv.ParseUint(bare, 16, 64)
		if got, ok := Hex([]byte(s)); ok != (err == nil && bare[0] != '+') || ok && got != want {
			t.Errorf("hex %q: %d %v", s, got, ok)
		}
		want, err = strconv.ParseUint(s, 10, 64)
		if got, ok := Decimal([]byte(s)); ok != (err == nil && s[0] != '+') || ok && got != want {
			t.Errorf("decimal %q: %d %v", s, got, ok)
		}
	}
	if w, rest := Word([]byte("  one\t two ")); string(w) != "one" || string(rest) != "two " {
		t.Errorf("%q %q", w, rest)
	}
}
