#include "go_asm.h"
#include "textflag.h"

// func fetch(base unsafe.Pointer, offsets *[group]uint64)
//
//	AX base   BX the next offsets   CX how many are left   DX, SI, DI, R8 offsets
TEXT ·fetch(SB), NOSPLIT, $0-16
	MOVQ base+0(FP), AX
	MOVQ offsets+8(FP), BX
	MOVQ $const_group, CX
next:
	MOVQ (BX), DX
	MOVQ 8(BX), SI
	MOVQ 16(BX), DI
	MOVQ 24(BX), R8
	PREFETCHT0 (AX)(DX*1)
	PREFETCHT0 (AX)(SI*1)
	PREFETCHT0 (AX)(DI*1)
	PREFETCHT0 (AX)(R8*1)
	ADDQ $32, BX
	SUBQ $4, CX
	JNZ next
	RET
