#include "go_asm.h"
#include "textflag.h"

DATA hashing<>+0(SB)/8, $0x9e3779b97f4a7c15 // as in guess
DATA hashing<>+8(SB)/8, $0xd6e8feb86659fd93
GLOBL hashing<>(SB), RODATA|NOPTR, $16

// func residentRows(x *residing)
//
// As residentAny does it. Only what a miss is, and whether guesses are made, is worth a branch.
//
//	R8 recs   R9 refs and R10 addrs, behind the last   R11 told   R12 minus the rows left   R13 address of the row before
//	R14 zero   R15 the guesses   AX the row's rec   BX last   CX missed   DX addr   SI delta   DI base, then stride
TEXT ·residentRows(SB), NOSPLIT, $0-8
	MOVQ x+0(FP), DI
	MOVQ residing_recs(DI), R8
	MOVQ residing_refs(DI), R9
	MOVQ residing_addrs(DI), R10
	MOVQ residing_told(DI), R11
	MOVQ (residing_refs+8)(DI), R12
	MOVQ residing_missed(DI), CX
	MOVQ residing_before(DI), R13
	MOVQ residing_guess(DI), R15
	LEAQ (R9)(R12*4), R9
	LEAQ (R10)(R12*8), R10
	XORL R14, R14
	NEGQ R12
	JEQ  done

row:
	MOVL (R9)(R12*4), AX
	SHLQ $5, AX
	SHRQ $1, CX
	JCS  miss
	MOVQ rec_stride(R8)(AX*1), SI
	MOVQ rec_last(R8)(AX*1), DX
	ADDQ SI, DX
	MOVQ DX, rec_last(R8)(AX*1)
	MOVQ SI, rec_delta(R8)(AX*1)
	MOVQ DX, BX
	SUBQ R13, BX
	MOVQ BX, rec_rel(R8)(AX*1)
	MOVQ DX, (R10)(R12*8)
	MOVQ DX, R13
	INCQ R12
	JNE  row

done:
	MOVQ x+0(FP), DI
	MOVQ R13, residing_before(DI)
	RET

miss:
	MOVBLZX told_base(R11), DI
	ADDQ    R8, AX
	MOVQ    rec_rel(AX), DX
	MOVQ    rec_last(AX), BX
	TESTL   $(const_baseRel^const_baseBefore), DI
	CMOVQEQ R14, DX
	ADDQ    R13, DX             // the row before, with rel or without
	TESTL   $const_baseBefore, DI
	CMOVQEQ BX, DX
	TESTQ   R15, R15
	JNE     guess
	ADDQ    told_distance(R11), DX

told:
	ADDQ    $told__size, R11
	MOVQ    rec_stride(AX), DI
	MOVQ    DX, SI
	SUBQ    BX, SI
	CMPQ    SI, rec_delta(AX)
	CMOVQEQ SI, DI
	MOVQ    DX, rec_last(AX)
	MOVQ    SI, rec_delta(AX)
	MOVQ    DI, rec_stride(AX)
	MOVQ    DX, SI
	SUBQ    R13, SI
	MOVQ    SI, rec_rel(AX)
	MOVQ    DX, (R10)(R12*8)
	MOVQ    DX, R13
	INCQ    R12
	JNE     row
	JMP     done

guess:
	MOVL    (R9)(R12*4), SI
	IMULQ   hashing<>+0(SB), SI
	XORQ    R13, SI
	IMULQ   hashing<>+8(SB), SI
	SHRQ    $(64-const_guessBits), SI
	TESTL   $const_baseGuess, DI
	JNE     guessed             // rather than to wait for the table where it does not matter
	ADDQ    told_distance(R11), DX
	MOVQ    DX, (R15)(SI*8)
	JMP     told

guessed:
	MOVQ    (R15)(SI*8), DX
	ADDQ    told_distance(R11), DX
	MOVQ    DX, (R15)(SI*8)
	JMP     told
