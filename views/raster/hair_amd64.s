// Strips of thin curves, four columns or eight pixels of a row at a time. The Go twin is each (hair.go), which
// TestFoursPaintAsEach compares. CPU time of BenchmarkRender of package spiral on one core, best of 5 interleaved runs,
// 100 000 windows:
//
//	            assembly   Go
//	100 turns    2.23 ms   3.34 ms   1.5 times
//	230 turns    6.06 ms   8.70 ms   1.4 times
//	2000 turns   1.55 ms   1.67 ms   1.1 times, where turns are too dense to be lines

#include "go_asm.h"
#include "textflag.h"

// BEGIN loads what both kernels need of f, which is in SI, and makes the constants.
#define BEGIN \
	MOVQ stripArgs_pix(SI), DI      \
	ADDQ stripArgs_at(SI), DI       \
	MOVQ stripArgs_stride(SI), DX   \
	MOVQ stripArgs_passage(SI), R10 \
	MOVQ stripArgs_middle(SI), R8   \
	MOVQ stripArgs_step(SI), R9     \
	MOVQ stripArgs_count(SI), CX    \
	PXOR       X15, X15        \
	MOVL stripArgs_ink(SI), AX      \
	MOVQ       AX, X9          \
	PUNPCKLBW  X15, X9         \
	PUNPCKLQDQ X9, X9          \ // the ink's channels, twice
	MOVL stripArgs_opacity(SI), AX  \
	MOVQ       AX, X11         \
	PSHUFLW    $0, X11, X11    \
	PUNPCKLQDQ X11, X11        \
	MOVL $0x01000100, AX       \
	MOVQ   AX, X8              \
	PSHUFD $0, X8, X8          \ // 256
	MOVL $0x00800080, AX       \
	MOVQ   AX, X10             \
	PSHUFD $0, X10, X10        // 128

// ALPHA makes of eight shares in 1/256, in x, (opacity share + 32768) / 65536.
#define ALPHA(x, tmp) \
	MOVO    x, tmp    \
	PMULLW  X11, tmp  \
	PMULHUW X11, x    \
	PSRLW   $15, tmp  \
	PADDW   tmp, x

// BLEND lays ink over the four pixels at reg, each to a share in 1/256, which X0 has twice:
// (channel (256-share) + ink share + 128) / 256, as brush.paint does.
#define BLEND(reg) \
	PSHUFD    $0x50, X0, X1 \
	PSHUFD    $0xfa, X0, X2 \
	MOVOU     (reg), X3     \
	MOVO      X3, X4        \
	PUNPCKLBW X15, X3       \
	PUNPCKHBW X15, X4       \
	MOVO      X8, X5        \
	MOVO      X8, X6        \
	PSUBW     X1, X5        \
	PSUBW     X2, X6        \
	PMULLW    X9, X1        \
	PMULLW    X9, X2        \
	PMULLW    X5, X3        \
	PMULLW    X6, X4        \
	PADDW     X10, X1       \
	PADDW     X10, X2       \
	PADDW     X1, X3        \
	PADDW     X2, X4        \
	PSRLW     $8, X3        \
	PSRLW     $8, X4        \
	PACKUSWB  X4, X3        \
	MOVOU     X3, (reg)

// LANE points m, the middle of a column, to the column's shares, from the uppermost row of the four columns, R13, on. A column has 32
// bytes, of which the first 8 are clear.
#define LANE(m) \
	MOVQ m, SI      \
	SARQ $32, SI    \
	SUBQ R13, SI    \
	SHRQ $22, m     \
	ANDQ $0x3e0, m  \
	SUBQ SI, m      \
	SUBQ SI, m      \
	ADDQ R10, m

// func paintFlat(f *stripArgs)
//
// The shares of four columns are turned round, so that a row has four next to each other, and laid down in the stack, 8 bytes a
// row: up to 8 rows, and 4 more where the line is wide or steep.
TEXT ·paintFlat(SB), NOSPLIT, $112-8
	MOVQ f+0(FP), SI
	BEGIN
	MOVQ stripArgs_rows(SI), AX
	MOVQ AX, 96(SP)
	PCMPEQL X12, X12           // columns that count

group:
	CMPQ CX, $4
	JGE  full
	TESTQ CX, CX
	JEQ  done

	// The last four once more, without those that are painted already.
	MOVQ  $4, AX
	SUBQ  CX, AX
	MOVQ  AX, BX
	IMULQ R9, BX
	SUBQ  BX, R8
	LEAQ  (AX*4), BX
	SUBQ  BX, DI
	MOVQ  AX, CX
	SHLQ  $4, CX
	MOVQ  $-1, AX
	SHLQ  CX, AX
	MOVQ  AX, X12
	PUNPCKLQDQ X12, X12
	MOVQ  $4, CX

full:
	MOVQ R8, AX
	LEAQ (AX)(R9*1), BX
	LEAQ (BX)(R9*1), R11
	LEAQ (R11)(R9*1), R12
	LEAQ (R12)(R9*1), R8
	MOVQ AX, R13
	SARQ $32, R13
	MOVQ R12, SI
	SARQ $32, SI
	CMPQ SI, R13
	JGE  falls
	XCHGQ SI, R13
falls:
	SUBQ R13, SI
	ADDQ 96(SP), SI
	MOVQ SI, 104(SP)           // rows of all four
	LANE(AX)
	LANE(BX)
	LANE(R11)
	LANE(R12)
	MOVQ 104(SP), SI

	MOVOU     8(AX), X0
	MOVOU     8(BX), X1
	MOVOU     8(R11), X2
	MOVOU     8(R12), X3
	MOVO      X0, X4
	MOVO      X2, X5
	PUNPCKLWL X1, X0
	PUNPCKLWL X3, X2
	MOVO      X0, X6
	PUNPCKLLQ X2, X0
	PUNPCKHLQ X2, X6
	PAND      X12, X0
	PAND      X12, X6
	ALPHA(X0, X7)
	ALPHA(X6, X7)
	MOVOU     X0, (SP)
	MOVOU     X6, 16(SP)
	CMPQ SI, $4
	JLE  paint
	PUNPCKHWL X1, X4
	PUNPCKHWL X3, X5
	MOVO      X4, X6
	PUNPCKLLQ X5, X4
	PUNPCKHLQ X5, X6
	PAND      X12, X4
	PAND      X12, X6
	ALPHA(X4, X7)
	ALPHA(X6, X7)
	MOVOU     X4, 32(SP)
	MOVOU     X6, 48(SP)
	CMPQ SI, $8
	JLE  paint
	MOVQ      24(AX), X0
	MOVQ      24(BX), X1
	MOVQ      24(R11), X2
	MOVQ      24(R12), X3
	PUNPCKLWL X1, X0
	PUNPCKLWL X3, X2
	MOVO      X0, X6
	PUNPCKLLQ X2, X0
	PUNPCKHLQ X2, X6
	PAND      X12, X0
	PAND      X12, X6
	ALPHA(X0, X7)
	ALPHA(X6, X7)
	MOVOU     X0, 64(SP)
	MOVOU     X6, 80(SP)

paint:
	IMULQ DX, R13
	ADDQ  DI, R13
	LEAQ  (SP), AX

row:
	MOVQ      (AX), X0
	PUNPCKLWL X0, X0
	BLEND(R13)
	ADDQ DX, R13
	ADDQ $8, AX
	DECQ SI
	JNE  row

	ADDQ $16, DI
	SUBQ $4, CX
	JMP  group

done:
	RET

// func paintSteep(f *stripArgs)
TEXT ·paintSteep(SB), NOSPLIT, $0-8
	MOVQ f+0(FP), SI
	BEGIN
	MOVQ stripArgs_rows(SI), BX

row:
	MOVQ  R8, AX
	MOVQ  R8, R12
	ADDQ  R9, R8
	SARQ  $32, AX
	LEAQ  (DI)(AX*4), R11
	SHRQ  $22, R12
	ANDQ  $0x3e0, R12
	MOVOU 8(R10)(R12*1), X7
	ALPHA(X7, X0)
	MOVO      X7, X0
	PUNPCKLWL X0, X0
	BLEND(R11)
	CMPQ BX, $4
	JLE  next
	ADDQ $16, R11
	MOVO      X7, X0
	PUNPCKHWL X0, X0
	BLEND(R11)

next:
	ADDQ DX, DI
	DECQ CX
	JNE  row
	RET
