// Rows of a glow, four pixels at a time. The Go twin is shineAny (glow.go), which TestLightIsLaidByFoursAsByOnes
// compares. CPU time of BenchmarkGlow on one core, best of 6 interleaved runs:
//
//	                          assembly   Go
//	a glow 400 pixels in radius  0.96 ms   3.35 ms   3.5 times

#include "go_asm.h"
#include "textflag.h"

DATA first<>+0(SB)/4, $0.0
DATA first<>+4(SB)/4, $1.0
DATA first<>+8(SB)/4, $2.0
DATA first<>+12(SB)/4, $3.0
GLOBL first<>(SB), RODATA|NOPTR, $16

// LOOK puts the strength of the step that is the lowest number of X0 into reg and x.
#define LOOK(reg, x) \
	MOVQ    X0, reg          \
	MOVL    reg, reg         \
	CMPQ    reg, DX          \
	CMOVQHI DX, reg          \
	MOVL    (SI)(reg*4), reg \
	MOVQ    reg, x           \
	PSHUFD  $0, x, x

// MIX changes the channels p (in 16 bits, the ink's between them) of a pixel by its strength and its dither.
#define MIX(p, strength, dither) \
	PMADDWL strength, p \
	PADDL   dither, p   \
	PSRLL   $14, p

// func shineFours(l *light)
//
// Numbers are what they are in shineAny: channel rest + ink a is one multiplication with an addition.
TEXT ·shineFours(SB), NOSPLIT, $0-8
	MOVQ   l+0(FP), AX
	MOVQ   light_pix(AX), DI
	MOVQ   light_n(AX), CX
	MOVQ   light_strength(AX), SI
	MOVQ   $(const_glowSteps+1), DX
	MOVSS  light_dx(AX), X8
	SHUFPS $0, X8, X8
	MOVUPS first<>(SB), X0
	ADDPS  X0, X8                  // of four pixels
	MOVSS  light_dy2(AX), X9
	SHUFPS $0, X9, X9
	MOVSS  light_per(AX), X10
	SHUFPS $0, X10, X10
	MOVL   $0x40800000, BX
	MOVQ   BX, X11
	SHUFPS $0, X11, X11            // 4
	MOVOU  light_dither(AX), X5
	PSHUFD $0x00, X5, X12
	PSHUFD $0x55, X5, X13
	PSHUFD $0xaa, X5, X14
	PSHUFD $0xff, X5, X5
	PXOR   X15, X15
	MOVL   light_ink(AX), BX
	MOVQ   BX, X7
	PUNPCKLBW X15, X7
	PUNPCKLQDQ X7, X7

four:
	MOVAPS    X8, X0
	MULPS     X0, X0
	ADDPS     X9, X0
	MULPS     X10, X0
	CVTTPS2PL X0, X0
	ADDPS     X11, X8

	MOVOU     (DI), X1
	MOVO      X1, X2
	PUNPCKLBW X15, X1
	PUNPCKHBW X15, X2
	MOVO      X1, X3
	MOVO      X2, X4
	PUNPCKLWL X7, X1               // each channel beside the ink's, one pixel in X1, X3, X2, X4
	PUNPCKHWL X7, X3
	PUNPCKLWL X7, X2
	PUNPCKHWL X7, X4

	LOOK(R8, X6)
	MIX(X1, X6, X12)
	PSRLO  $4, X0
	LOOK(R9, X6)
	MIX(X3, X6, X13)
	PSRLO  $4, X0
	LOOK(R10, X6)
	MIX(X2, X6, X14)
	PSRLO  $4, X0
	LOOK(R11, X6)
	MIX(X4, X6, X5)

	PACKSSLW X3, X1
	PACKSSLW X4, X2
	PACKUSWB X2, X1
	MOVOU    X1, (DI)
	ADDQ     $16, DI
	SUBQ     $4, CX
	JNZ      four
	RET
