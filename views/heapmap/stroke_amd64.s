// Strokes of four blocks at a time; the first of four kernels of the heap map, with weigh_amd64.s, level_amd64.s and
// resolve_amd64.s. Each does what its Go twin does, to the last bit: blocks (stroke.go), scatterAny and resolveAny
// (weigh.go), and for level_amd64.s the first two together. The tests in paint_test.go, weigh_test.go and level_test.go
// compare them. CPU time of BenchmarkPaint, the whole map at 1920x1080, with all four and with none, best of 3
// interleaved runs:
//
//	                  assembly   Go
//	  100 000 blocks    7.2 ms   15.3 ms   2.1 times
//	1 000 000 blocks   17.3 ms   63.4 ms   3.7 times

#include "go_asm.h"
#include "textflag.h"
#include "offsets_amd64.h"

DATA numbers<>+0(SB)/8, $0x3ff0000000000000 // 1
DATA numbers<>+8(SB)/8, $0x4008000000000000 // 3, thin
DATA numbers<>+16(SB)/8, $0x3fe0000000000000 // 0.5
DATA numbers<>+24(SB)/8, $0x406fe00000000000 // 255
DATA numbers<>+32(SB)/8, $0x3f90000000000000 // 1/64, narrow
DATA numbers<>+40(SB)/8, $0x4028000000000000 // 12, four of the widest borders
DATA numbers<>+48(SB)/4, $1
DATA numbers<>+52(SB)/4, $0x3f800000 // 1
DATA numbers<>+56(SB)/4, $0x00ff0000 // dither 255
GLOBL numbers<>(SB), RODATA|NOPTR, $60

// ADVANCE moves DX behind what block i has left, whose bits in R8 (there is something) and R9 (it goes on in a second row) these are.
#define ADVANCE(i) \
	MOVQ  R8, AX      \
	SHRQ  $i, AX      \
	ANDQ  $1, AX      \
	MOVQ  R9, R10     \
	SHRQ  $i, R10     \
	ANDQ  AX, R10     \
	ADDQ  R10, AX     \
	IMULQ $stroke__size, AX \
	ADDQ  AX, DX

// TWICE stores the strokes of block i in its first and its second row, made of the halves a and b.
#define TWICE(i, a, b) \
	VMOVUPS a, (DX)                               \
	VMOVUPS b, 16(DX)                             \
	VMOVUPS a, stroke__size(DX)                   \
	VMOVUPS b, (stroke__size+16)(DX)              \
	MOVL    (strokeArgs_second+4*i)(DI), AX             \
	MOVL    AX, (stroke__size+stroke_fy)(DX)      \
	MOVL    (strokeArgs_below+4*i)(DI), AX              \
	MOVL    AX, (stroke__size+stroke_row)(DX)     \
	ADVANCE(i)

// func strokesByFour(n *strokeArgs)
//
// Four blocks at a time, in the lanes of a register each of what belongs to them. A stroke is stored in two overlapping halves:
// {a, b, f0, f1, fy} and {light, value, row, class, dither, anything}.
TEXT ·strokesByFour(SB), NOSPLIT, $0-8
	MOVQ n+0(FP), DI
	MOVQ strokeArgs_offsets(DI), SI
	MOVQ strokeArgs_class(DI), BX
	MOVQ strokeArgs_amount(DI), R12
	MOVQ strokeArgs_strokes(DI), R11
	MOVQ strokeArgs_at(DI), DX
	ADDQ R11, DX
	MOVQ strokeArgs_left(DI), CX
	SUBQ $4, CX
	JLT  done

next:
	OFFSETS

	// Bottom in Y0, height in Y1, left in Y2, width in Y3, right in Y4, top in Y5.
	VMULPD       strokeArgs_perTime(DI), Y2, Y2
	VBROADCASTSD strokeArgs_x(DI), Y4
	VADDPD       Y2, Y4, Y2
	VMULPD       strokeArgs_perTime(DI), Y3, Y3
	VADDPD       Y3, Y2, Y4
	VMULPD       strokeArgs_perAddr(DI), Y0, Y0
	VBROADCASTSD strokeArgs_y(DI), Y5
	VSUBPD       Y0, Y5, Y0
	VMULPD       strokeArgs_perAddr(DI), Y1, Y1
	VSUBPD       Y1, Y0, Y5

	// The smaller side in Y8. Who has room for a relief is another's.
	VMINPD    Y1, Y3, Y8
	VCMPPD    $0x1d, strokeArgs_thin(DI), Y8, Y6
	VMOVMSKPD Y6, AX
	TESTL     AX, AX
	JNE       done

	// What is shown of them, and the bits of those of which something is in R8.
	VXORPS    X6, X6, X6
	VMAXPD    Y6, Y2, Y2
	VMINPD    strokeArgs_wide(DI), Y4, Y4
	VMAXPD    strokeArgs_roof(DI), Y5, Y5
	VMINPD    strokeArgs_floor(DI), Y0, Y0
	VCMPPD    $0x1e, Y5, Y0, Y6
	VCMPPD    $0x1e, Y2, Y4, Y7
	VANDPD    Y7, Y6, Y6
	VMOVMSKPD Y6, R8

	// The light in X3.
	VBROADCASTSD numbers<>+40(SB), Y9
	VMAXPD       Y9, Y3, Y3
	VMAXPD       Y9, Y1, Y1
	VCVTPD2PSY   Y3, X3
	VCVTPD2PSY   Y1, X1
	VMOVUPS      strokeArgs_slope(DI), X9
	VMOVUPS      strokeArgs_high(DI), X10
	VDIVPS       X3, X9, X3
	VDIVPS       X1, X9, X1
	VSUBPS       X3, X10, X3
	VSUBPS       X1, X10, X1
	VMULPS       strokeArgs_gain(DI), X3, X3
	VMULPS       X1, X3, X3
	VADDPS       strokeArgs_edge(DI), X3, X3

	// First columns in X9, their shares in X12; last columns in X10, their shares in X13, 1 where that is the same column.
	VBROADCASTSS numbers<>+48(SB), X7
	VCVTTPD2DQY  Y2, X9
	VCVTTPD2DQY  Y4, X10
	VPADDD       X7, X9, X12
	VCVTDQ2PD    X12, Y12
	VMINPD       Y4, Y12, Y12
	VSUBPD       Y2, Y12, Y12
	VCVTPD2PSY   Y12, X12
	VCVTDQ2PD    X10, Y13
	VSUBPD       Y13, Y4, Y13
	VCVTPD2PSY   Y13, X13
	VPCMPEQD     X9, X10, X14
	VBROADCASTSS numbers<>+52(SB), X4
	VBLENDVPS    X14, X4, X13, X13
	VPSLLD       $16, X10, X10
	VPOR         X9, X10, X10

	// First rows in X11, their shares in X2; the bits of those that go on beyond in R9.
	VCVTTPD2DQY Y5, X11
	VPADDD      X7, X11, X14
	VCVTDQ2PD   X14, Y14
	VMINPD      Y0, Y14, Y2
	VSUBPD      Y5, Y2, Y2
	VCVTPD2PSY  Y2, X2
	VCMPPD      $0x1e, Y14, Y0, Y15
	VMOVMSKPD   Y15, R9
	ANDL        R8, R9
	VPSUBD      strokeArgs_row(DI), X11, X11
	VPMOVZXBD   (BX), X9
	VPSLLD      $8, X9, X9
	VPOR        X9, X11, X11

	// The value in X4, which is the amount, or 1, and the dither, but for those that are less thin.
	VBROADCASTSS numbers<>+56(SB), X9
	TESTQ        R12, R12
	JNE          amounts
	VBROADCASTSD numbers<>+32(SB), Y1
	VCMPPD       $0x1e, Y1, Y8, Y1
	VMOVMSKPD    Y1, AX
	TESTL        AX, AX
	JNE          shares

values:
	VPOR X9, X11, X11

	// The halves, X10, X12, X13 and X2 for the first ones, X3, X4 and X11 for the others, turned about: {X5, X9}, {X6, X13}, {X7, X1}, {X8, X3}.
	VUNPCKLPS X12, X10, X5
	VUNPCKHPS X12, X10, X7
	VUNPCKLPS X2, X13, X6
	VUNPCKHPS X2, X13, X8
	VUNPCKLPS X4, X3, X9
	VUNPCKHPS X4, X3, X1
	VUNPCKLPS X11, X11, X10
	VUNPCKHPS X11, X11, X12
	VUNPCKHPD X6, X5, X2
	VUNPCKLPD X6, X5, X5
	VMOVAPS   X2, X6
	VUNPCKHPD X8, X7, X2
	VUNPCKLPD X8, X7, X7
	VMOVAPS   X2, X8
	VUNPCKHPD X10, X9, X13
	VUNPCKLPD X10, X9, X9
	VUNPCKHPD X12, X1, X3
	VUNPCKLPD X12, X1, X1
	MOVL      R8, AX
	XORL      $15, AX
	ORL       R9, AX
	JNE       some
	VMOVUPS   X5, (DX)
	VMOVUPS   X9, 16(DX)
	VMOVUPS   X6, (stroke__size)(DX)
	VMOVUPS   X13, (stroke__size+16)(DX)
	VMOVUPS   X7, (2*stroke__size)(DX)
	VMOVUPS   X1, (2*stroke__size+16)(DX)
	VMOVUPS   X8, (3*stroke__size)(DX)
	VMOVUPS   X3, (3*stroke__size+16)(DX)
	ADDQ      $(4*stroke__size), DX

over:
	ADDQ $64, SI
	ADDQ $4, BX
	SUBQ $4, CX
	JGE  next

done:
	ADDQ $4, CX
	MOVQ CX, strokeArgs_left(DI)
	SUBQ R11, DX
	MOVQ DX, strokeArgs_at(DI)
	VZEROUPPER
	RET

some:
	// Not all are shown, or some have a second row. Those with a third are another's.
	VBROADCASTSD numbers<>+0(SB), Y2
	VADDPD       Y2, Y14, Y2
	VCMPPD       $0x1e, Y2, Y0, Y4
	VMOVMSKPD    Y4, AX
	TESTL        R8, AX
	JNE          done
	VMINPD       Y0, Y2, Y2
	VSUBPD       Y14, Y2, Y2
	VCVTPD2PSY   Y2, X2
	VMOVUPS      X2, strokeArgs_second(DI)
	VBROADCASTSS numbers<>+48(SB), X2
	VPADDD       X2, X11, X2
	VMOVUPS      X2, strokeArgs_below(DI)
	TWICE(0, X5, X9)
	TWICE(1, X6, X13)
	TWICE(2, X7, X1)
	TWICE(3, X8, X3)
	JMP          over

amounts:
	VMOVUPS (R12), X4
	ADDQ    $16, R12
	JMP     values

shares:
	// As share tells it.
	VEXTRACTF128 $1, Y1, X5
	VSHUFPS      $0x88, X5, X1, X1
	VBROADCASTSD numbers<>+0(SB), Y5
	VMULPD       Y8, Y8, Y6
	VADDPD       Y5, Y6, Y6
	VDIVPD       Y6, Y5, Y6
	VCVTPD2PSY   Y6, X6
	VBLENDVPS    X1, X6, X4, X4
	VBROADCASTSD numbers<>+8(SB), Y6
	VSUBPD       Y8, Y6, Y6
	VBROADCASTSD numbers<>+16(SB), Y7
	VMULPD       Y7, Y6, Y6
	VXORPS       X8, X8, X8
	VMAXPD       Y8, Y6, Y6
	VMINPD       Y5, Y6, Y6
	VBROADCASTSD numbers<>+24(SB), Y5
	VMULPD       Y5, Y6, Y6
	VADDPD       Y7, Y6, Y6
	VCVTTPD2DQY  Y6, X6
	VPSLLD       $16, X6, X6
	VBLENDVPS    X1, X6, X9, X9
	JMP          values
