package bgv

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// TestBytecodes reads code by hand from the tables of the specification.
func TestBytecodes(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"a loop over a list", "033c2ac600121b2ab40002603c2ab600034ba7fff01bac",
			"0 iconst_0|1 istore_1|2 aload_0|3 ifnull 21|6 iload_1|7 aload_0|8 getfield #2|11 iadd|12 istore_1|13 aload_0|14 " +
				"invokevirtual #3|17 astore_0|18 goto 2|21 iload_1|22 ireturn"},
		{"numbers", "10ff11ff0012031400058405fe", "0 bipush -1|2 sipush -256|5 ldc #3|7 ldc2_w #5|10 iinc 5 -2"},
		{"calls", "b900070200ba000900002ac500040257",
			"0 invokeinterface #7 2|5 invokedynamic #9|10 aload_0|11 multianewarray #4 2|15 pop"},
		{"wide", "c4150100c4840100ff9cc8ffffffff", "0 wide iload 256|4 wide iinc 256 -100|10 goto_w 9"},
		{"a table", "1aaa00000000001700000001000000020000001400000015b1",
			"0 iload_0|1 tableswitch 1:21 2:22 default:24|24 return"},
		{"keys", "1aab00000000001b00000002fffffffb000000150000000a00000016b1",
			"0 iload_0|1 lookupswitch -5:22 10:23 default:28|28 return"},
		{"no instruction", "03cb010203", "0 iconst_0|1 cb 01 02 03"},
		{"cut", "03b400", "0 iconst_0|1 b4 00"},
		{"a cut jump", "aa", "0 aa"},
		{"a table of four thousand million", "aa0000000000000000000000007fffffff",
			"0 aa 00 00 00 00 00 00 00|8 00 00 00 00 00 7f ff ff|16 ff"},
		{"nothing", "", ""},
	} {
		code, err := hex.DecodeString(c.code)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range codes(code) {
			got = append(got, fmt.Sprint(b.Index, " ", b.Text))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: got\n%s, want\n%s", c.name, text, c.want)
		}
	}
}

// Each instruction has its number in the specification: some at the ends of its groups.
func TestMnemonicsHaveTheirNumbers(t *testing.T) {
	if len(mnemonics) != 202 {
		t.Fatalf("%d instructions, want 202", len(mnemonics))
	}
	for name, n := range map[string]int{"nop": 0, "bipush": 0x10, "ldc": 0x12, "iload": 0x15, "iload_0": 0x1a,
		"aload_0": 0x2a, "iaload": 0x2e, "istore": 0x36, "astore_3": 0x4e, "pop": 0x57,
		"swap": 0x5f, "iadd": 0x60, "ineg": 0x74, "ishl": 0x78, "lxor": 0x83, "iinc": 0x84, "i2l": 0x85, "i2s": 0x93,
		"lcmp": 0x94, "ifeq": 0x99, "if_icmpeq": 0x9f, "goto": 0xa7,
		"ret": 0xa9, "tableswitch": 0xaa, "ireturn": 0xac, "return": 0xb1, "getstatic": 0xb2, "invokevirtual": 0xb6,
		"new": 0xbb, "athrow": 0xbf, "monitorexit": 0xc3, "wide": 0xc4, "ifnull": 0xc6, "jsr_w": 0xc9} {
		if mnemonics[n] != name {
			t.Errorf("%#x is %s, want %s", n, mnemonics[n], name)
		}
	}
	for name := range operands {
		found := false
		for _, m := range mnemonics {
			found = found || m == name
		}
		if !found {
			t.Errorf("%s has operands, and is no instruction", name)
		}
	}
}
