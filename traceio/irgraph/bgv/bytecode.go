package bgv

import (
	"encoding/binary"
	"fmt"
	"strings"

	"orrery/traceio/irgraph"
)

// mnemonics are the instructions of the Java virtual machine by their code (The Java Virtual Machine Specification,
// chapter 6).
var mnemonics = strings.Fields(
	`nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 fconst_1 fconst_2
	dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3
	fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload
	istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3
	dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore fastore dastore aastore bastore castore sastore
	pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem
	ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s
	lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret
	tableswitch lookupswitch ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield
	invokevirtual invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow checkcast instanceof
	monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w`)

// operands are what follows the codes that something follows: a local variable or number (v of one byte, V of two;
// signed ones s and S), an entry of the constant pool (c, C), a distance to jump (j of two bytes, J of four), bytes
// without meaning (0).
var operands = map[string]string{
	"bipush": "s", "sipush": "S", "ldc": "c", "ldc_w": "C", "ldc2_w": "C", "iload": "v", "lload": "v", "fload": "v",
	"dload": "v", "aload": "v",
	"istore": "v", "lstore": "v", "fstore": "v", "dstore": "v", "astore": "v", "iinc": "vs", "ret": "v", "ifeq": "j",
	"ifne": "j", "iflt": "j", "ifge": "j", "ifgt": "j",
	"ifle": "j", "if_icmpeq": "j", "if_icmpne": "j", "if_icmplt": "j", "if_icmpge": "j", "if_icmpgt": "j",
	"if_icmple": "j", "if_acmpeq": "j", "if_acmpne": "j",
	"goto": "j", "jsr": "j", "ifnull": "j", "ifnonnull": "j", "goto_w": "J", "jsr_w": "J", "getstatic": "C",
	"putstatic": "C", "getfield": "C", "putfield": "C",
	"invokevirtual": "C", "invokespecial": "C", "invokestatic": "C", "invokeinterface": "Cv0", "invokedynamic": "C00",
	"new": "C", "newarray": "v", "anewarray": "C",
	"checkcast": "C", "instanceof": "C", "multianewarray": "Cv",
}

// sizes are the bytes of operands.
var sizes = map[rune]int{'v': 1, 's': 1, 'c': 1, '0': 1, 'V': 2, 'S': 2, 'C': 2, 'j': 2, 'J': 4}

// codes lists a method's instructions with the index of the byte where each begins, as nodes name them. From the first
// byte that is no instruction of the Java virtual machine on they are bytes.
func codes(code []byte) (out []irgraph.Bytecode) {
	for i := 0; i < len(code); {
		text, n := instruction(code, i)
		if n == 0 {
			break
		}
		out = append(out, irgraph.Bytecode{Index: i, Text: text})
		i += n
	}
	const row = 8
	i := 0
	if n := len(out); n > 0 {
		_, length := instruction(code, out[n-1].Index)
		i = out[n-1].Index + length
	}
	for ; i < len(code); i += row {
		out = append(out, irgraph.Bytecode{Index: i, Text: fmt.Sprintf("% x", code[i:min(i+row, len(code))])})
	}
	return out
}

// instruction is the text of the one that begins at a byte, and its length; 0 where none does.
func instruction(code []byte, at int) (text string, length int) {
	if int(code[at]) >= len(mnemonics) {
		return "", 0
	}
	switch name := mnemonics[code[at]]; name {
	case "tableswitch", "lookupswitch":
		return switching(code, at, name)
	case "wide":
		return widened(code, at)
	default:
		return operated(code, at, at+1, name, operands[name])
	}
}

// operated reads operands from a byte on.
func operated(code []byte, at, from int, name, kinds string) (string, int) {
	text, i := name, from
	for _, k := range kinds {
		size := sizes[k]
		if i+size > len(code) {
			return "", 0
		}
		n := int64(0)
		switch size {
		case 1:
			n = int64(code[i])
		case 2:
			n = int64(binary.BigEndian.Uint16(code[i:]))
		default:
			n = int64(int32(binary.BigEndian.Uint32(code[i:])))
		}
		switch k {
		case 'v', 'V':
			text += fmt.Sprintf(" %d", n)
		case 's':
			text += fmt.Sprintf(" %d", int8(n))
		case 'S':
			text += fmt.Sprintf(" %d", int16(n))
		case 'c', 'C':
			text += fmt.Sprintf(" #%d", n)
		case 'j':
			text += fmt.Sprintf(" %d", int64(at)+int64(int16(n)))
		case 'J':
			text += fmt.Sprintf(" %d", int64(at)+n)
		}
		i += size
	}
	return text, i - at
}

// widened is an instruction on a local variable with a number of two bytes.
func widened(code []byte, at int) (string, int) {
	if at+1 >= len(code) || int(code[at+1]) >= len(mnemonics) {
		return "", 0
	}
	switch name := mnemonics[code[at+1]]; operands[name] {
	case "v":
		if name == "newarray" {
			return "", 0
		}
		return operated(code, at, at+2, "wide "+name, "V")
	case "vs":
		return operated(code, at, at+2, "wide "+name, "VS")
	}
	return "", 0
}

// switching is one that jumps by a table: after bytes up to a multiple of four, the default and the number of entries.
func switching(code []byte, at int, name string) (string, int) {
	i := at + 1 + (3 - at%4)
	word := func(i int) int64 { return int64(int32(binary.BigEndian.Uint32(code[i:]))) }
	head, size := 8, int64(8)
	if name == "tableswitch" {
		head, size = 12, 4
	}
	if i+head > len(code) {
		return "", 0
	}
	n := word(i + 4)
	if name == "tableswitch" {
		n = word(i+8) - n + 1
	}
	if n < 0 || n > int64(len(code)-i-head)/size {
		return "", 0
	}
	text := name
	for k := range n {
		entry := i + head + int(k*size)
		key, to := word(i+4)+k, word(entry)
		if name == "lookupswitch" {
			key, to = word(entry), word(entry+4)
		}
		text += fmt.Sprintf(" %d:%d", key, int64(at)+to)
	}
	return text + fmt.Sprintf(" default:%d", int64(at)+word(i)), i + head + int(n*size) - at
}
