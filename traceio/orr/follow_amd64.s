#include "go_asm.h"
#include "textflag.h"

DATA numbering<>+0(SB)/8, $0x0000000100000000
DATA numbering<>+8(SB)/8, $0x0000000300000002
DATA numbering<>+16(SB)/8, $0x0000000400000004
DATA numbering<>+24(SB)/8, $0x0000000400000004
DATA numbering<>+32(SB)/8, $0x08090a0b0c0d0e0f // how far the sites in front of one are from it
DATA numbering<>+40(SB)/8, $0x0001020304050607
DATA numbering<>+48(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA numbering<>+56(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL numbering<>(SB), RODATA|NOPTR, $64

// func followRows(x *following)
//
// As followAny does it. Half a chunk is copied at once, the other half where that is not enough.
//
//	R8 hops   R9 reach   R10 rows left   R11 site   R12 run   R13 turns   R14 rows so far   R15 x
TEXT ·followRows(SB), NOSPLIT, $8-8
	MOVQ  x+0(FP), R15
	MOVQ  following_hops(R15), R8
	MOVQ  following_reach(R15), R9
	MOVQ  following_rows(R15), R10
	MOVL  following_site(R15), R11
	MOVL  following_run(R15), R12
	MOVQ  following_turns(R15), R13
	MOVQ  (following_turns+8)(R15), AX
	LEAQ  (R13)(AX*8), AX
	MOVQ  AX, end-8(SP)
	XORL  R14, R14
	MOVOU numbering<>+0(SB), X8
	MOVOU numbering<>+16(SB), X9
	MOVOU numbering<>+32(SB), X10
	MOVOU numbering<>+48(SB), X11

segment:
	TESTL R12, R12
	JNE   hop
	CMPQ  R13, end-8(SP)
	JEQ   done
	MOVL    (R13), AX
	MOVL    4(R13), R12
	ADDQ    $8, R13
	MOVQ    (R8)(R11*8), BX
	MOVQ    BX, CX
	SHRQ    $32, CX
	TESTL   AX, AX
	CMOVLEQ CX, AX              // the other
	SHLQ    $32, BX
	ORQ     AX, BX
	MOVQ    BX, (R8)(R11*8)

	MOVBLZX const_chunk(R9)(R11*1), DX // of the site behind
	INCL    DX
	LEAL    1(R11), BX
	XORL    SI, SI
	CMPL    AX, BX
	CMOVLNE SI, DX
	MOVQ    DX, X0
	PUNPCKLBW  X0, X0
	PSHUFLW    $0, X0, X0
	PUNPCKLQDQ X0, X0
	PADDB   X10, X0
	PMINUB  X11, X0             // if they reach it
	MOVOU   (R9)(R11*1), X1
	MOVO    X1, X2
	PMAXUB  X10, X2
	PCMPEQB X1, X2              // those that do
	PAND    X2, X0
	PANDN   X1, X2
	POR     X2, X0
	MOVOU   X0, (R9)(R11*1)
	MOVL    AX, R11
	JMP     copy

hop:
	MOVL (R8)(R11*8), R11
	DECL R12

copy:
	TESTL   R11, R11
	JEQ     done
	LEAQ    -1(R10), BX
	CMPQ    BX, R12
	CMOVQHI R12, BX
	MOVBLZX (const_chunk-1)(R9)(R11*1), AX // how many follow straight on
	CMPQ    AX, BX
	JHI     fewer

rows:

	MOVQ   following_refs(R15), DX
	LEAQ   (DX)(R14*4), DX
	MOVQ   R11, X0
	PSHUFD $0, X0, X0
	PADDL  X8, X0
	MOVO   X0, X7
	PADDL  X9, X7
	MOVOU  X0, (DX)
	MOVOU  X7, 16(DX)
	MOVQ   following_sitePCs(R15), SI
	LEAQ   (SI)(R11*8), SI
	MOVQ   following_pcs(R15), DI
	LEAQ   (DI)(R14*8), DI
	MOVOU  (SI), X0
	MOVOU  16(SI), X1
	MOVOU  32(SI), X2
	MOVOU  48(SI), X3
	MOVOU  X0, (DI)
	MOVOU  X1, 16(DI)
	MOVOU  X2, 32(DI)
	MOVOU  X3, 48(DI)
	MOVQ   following_siteKinds(R15), BX
	MOVQ   following_kinds(R15), CX
	MOVOU  (BX)(R11*1), X0
	MOVOU  X0, (CX)(R14*1)
	MOVQ   following_siteSizes(R15), BX
	MOVQ   following_sizes(R15), CX
	MOVOU  (BX)(R11*2), X0
	MOVOU  X0, (CX)(R14*2)
	CMPQ   AX, $(const_chunk/2)
	JCC    half

next:
	ADDL AX, R11
	SUBL AX, R12
	INCQ AX
	ADDQ AX, R14
	SUBQ AX, R10
	JNE  segment

done:
	MOVQ R10, following_rows(R15)
	MOVL R11, following_site(R15)
	MOVL R12, following_run(R15)
	MOVQ end-8(SP), AX
	SUBQ R13, AX
	SHRQ $3, AX
	MOVQ AX, following_left(R15)
	RET

fewer: // by a branch: what is next is known the sooner
	MOVQ BX, AX
	JMP  rows

half:
	PADDL X9, X7
	MOVOU X7, 32(DX)
	PADDL X9, X7
	MOVOU X7, 48(DX)
	MOVOU 64(SI), X0
	MOVOU 80(SI), X1
	MOVOU 96(SI), X2
	MOVOU 112(SI), X3
	MOVOU X0, 64(DI)
	MOVOU X1, 80(DI)
	MOVOU X2, 96(DI)
	MOVOU X3, 112(DI)
	MOVOU 16(BX)(R11*2), X0
	MOVOU X0, 16(CX)(R14*2)
	JMP   next
