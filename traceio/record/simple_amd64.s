#include "textflag.h"

DATA odd<>+0(SB)/8, $0xffff // bits that must be as wanted, or a load's or store's
DATA odd<>+8(SB)/8, $0x87
DATA odd<>+16(SB)/8, $0 // a load
DATA odd<>+24(SB)/8, $2
DATA odd<>+32(SB)/8, $0xffffffffffffffff // what must be 0 then
DATA odd<>+40(SB)/8, $0xfffffffffffffffd
GLOBL odd<>(SB), RODATA|NOPTR, $48

// func evenVectors(slots []slot, like slot) (n int)
//
// As slot.odd tells it, with AVX2, eight slots at a time; processors that have it read both words of a slot at once. The one at the
// other end of the ring has their lines: they are asked for in good time.
TEXT ·evenVectors(SB), NOSPLIT, $0-48
	MOVQ slots_base+0(FP), SI
	MOVQ slots_len+8(FP), CX
	VBROADCASTI128 like+24(FP), Y4
	VBROADCASTI128 odd<>+0(SB), Y5
	VBROADCASTI128 odd<>+16(SB), Y6
	VBROADCASTI128 odd<>+32(SB), Y7
	XORL AX, AX

eight:
	SUBQ       $8, CX
	JLT        done
	PREFETCHT0 1024(SI)
	PREFETCHT0 1088(SI)
	VPXOR      (SI), Y4, Y0
	VPXOR      32(SI), Y4, Y1
	VPXOR      64(SI), Y4, Y2
	VPXOR      96(SI), Y4, Y3
	VPAND      Y5, Y0, Y0
	VPAND      Y5, Y1, Y1
	VPAND      Y5, Y2, Y2
	VPAND      Y5, Y3, Y3
	VPSUBQ     Y6, Y0, Y0
	VPSUBQ     Y6, Y1, Y1
	VPSUBQ     Y6, Y2, Y2
	VPSUBQ     Y6, Y3, Y3
	VPOR       Y0, Y1, Y1
	VPOR       Y2, Y3, Y3
	VPOR       Y1, Y3, Y3
	VPTEST     Y7, Y3
	JNE        done
	ADDQ       $128, SI
	ADDQ       $8, AX
	JMP        eight

done:
	VZEROUPPER
	MOVQ AX, n+40(FP)
	RET
