#include "go_asm.h"
#include "textflag.h"

// func succeedRows(x *succession)
//
// As succeedAny does it.
//
//	R8 ways   R9 row   R10 refs   R11 addresses   R12 tag   R13 rows so far   R14 stop   BX site   CX shift   DI kinds
TEXT ·succeedRows(SB), NOSPLIT, $0-8
	MOVQ x+0(FP), AX
	MOVQ succession_ways(AX), R8
	MOVQ succession_rows(AX), R9
	MOVQ succession_refs(AX), R10
	MOVQ succession_addrs(AX), R11
	MOVQ succession_tag(AX), R12
	MOVQ succession_n(AX), R13
	MOVQ succession_stop(AX), R14
	MOVL succession_ref(AX), BX
	MOVQ succession_shift(AX), CX
	MOVQ succession_kinds(AX), DI
	MOVQ R13, DX
	SHLQ $4, DX
	ADDQ DX, R9
	JMP  check

row:
	MOVQ 8(R9), DX
	MOVQ BX, SI
	SHLQ $4, SI
	XORQ R12, DX
	CMPQ DX, ahead_key(R8)(SI*1)
	JNE  done
	MOVQ (R9), AX
	ANDL $6, DX
	INCL BX
	ADDQ $16, R9
	SARQ CX, AX
	ADDQ DX, DI
	CMPL BX, ahead_next(R8)(SI*1) // most often so, and then nothing waits for that
	JNE  elsewhere

told:
	MOVQ AX, (R11)(R13*8)
	MOVL BX, (R10)(R13*4)
	INCQ R13

check:
	CMPQ R13, R14
	JNE  row

done:
	MOVQ x+0(FP), AX
	MOVQ R13, succession_n(AX)
	MOVL BX, succession_ref(AX)
	MOVQ DI, succession_kinds(AX)
	RET

elsewhere:
	MOVL ahead_next(R8)(SI*1), BX
	JMP  told
