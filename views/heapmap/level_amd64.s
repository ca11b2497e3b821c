// Blocks of level leaves are added to the cells of their row; the Go twin is blocks (stroke.go) with scatterAny (weigh.go).
// What it gains is in stroke_amd64.s.

#include "go_asm.h"
#include "textflag.h"
#include "offsets_amd64.h"

DATA units<>+0(SB)/8, $0x4028000000000000 // 12, four of the widest borders
DATA units<>+8(SB)/4, $1
DATA units<>+12(SB)/4, $0x3f800000 // 1
DATA units<>+16(SB)/4, $0x4000     // see of
GLOBL units<>(SB), RODATA|NOPTR, $20

// SHARE stores shares as they are, and where their powers are. X14 is what they are rounded by.
#define SHARE(f, share, power) \
	VMOVUPS f, share(DI)(R11*4)  \
	VPADDD  X14, f, f            \
	VPSRLD  $15, f, f            \
	VMOVDQU f, power(DI)(R11*4)

// func rows(n *level)
TEXT ·rows(SB), NOSPLIT, $0-8
	MOVQ         n+0(FP), DI
	MOVQ         level_offsets(DI), SI
	MOVQ         level_class(DI), BX
	MOVQ         level_pow(DI), R8
	MOVQ         level_hues(DI), R10
	MOVQ         level_cells(DI), R12
	MOVQ         level_marks(DI), R13
	MOVQ         level_left(DI), CX
	VBROADCASTSS units<>+12(SB), Y15
	VBROADCASTSS units<>+16(SB), X14
	VBROADCASTSD level_x(DI), Y13
	VMOVUPD      level_perTime(DI), Y12
	VMOVUPD      level_wide(DI), Y11
	XORL         R11, R11
	SUBQ         $4, CX
	JLT          done

next:
	PREFETCHT0 4096(SI) // blocks of neighbouring leaves stand together, and are read once

	OFFSETS

	// Bottom in Y0, height in Y1, left in Y2, width in Y3, right in Y4, top in Y5.
	VMULPD       Y12, Y2, Y2
	VADDPD       Y2, Y13, Y2
	VMULPD       Y12, Y3, Y3
	VADDPD       Y3, Y2, Y4
	VMULPD       level_perAddr(DI), Y0, Y0
	VBROADCASTSD level_y(DI), Y5
	VSUBPD       Y0, Y5, Y0
	VMULPD       level_perAddr(DI), Y1, Y1
	VSUBPD       Y1, Y0, Y5

	// Who is not narrow is another's.
	VMINPD    Y1, Y3, Y8
	VCMPPD    $0x1e, level_narrow(DI), Y8, Y6
	VMOVMSKPD Y6, AX
	TESTL     AX, AX
	JNE       done

	// What is shown of them; who is out of sight has no columns and no share of the row.
	VXORPS Y6, Y6, Y6
	VMAXPD Y6, Y2, Y2
	VMINPD Y11, Y2, Y2
	VMINPD Y11, Y4, Y4
	VMAXPD Y2, Y4, Y4
	VCMPPD $0x1e, Y2, Y4, Y7
	VSUBPD Y5, Y0, Y0
	VANDPD Y7, Y0, Y0
	VCVTPD2PSY Y0, X0
	SHARE(X0, level_fy, level_wy)

	// The light.
	VBROADCASTSD units<>+0(SB), Y9
	VMAXPD       Y9, Y3, Y3
	VCVTPD2PSY   Y3, X3
	VMOVUPS      level_slope(DI), X9
	VMOVUPS      level_high(DI), X10
	VDIVPS       X3, X9, X3
	VSUBPS       X3, X10, X3
	VMULPS       level_gain(DI), X3, X3
	VMULPS       level_level(DI), X3, X3
	VADDPS       level_edge(DI), X3, X3
	VMOVUPS      X3, level_light(DI)(R11*4)

	// First columns in X9, their shares in X1; last columns in X10, their shares in X3, 1 where that is the same column.
	VBROADCASTSS units<>+8(SB), X7
	VCVTTPD2DQY  Y2, X9
	VCVTTPD2DQY  Y4, X10
	VPADDD       X7, X9, X1
	VCVTDQ2PD    X1, Y1
	VMINPD       Y4, Y1, Y1
	VSUBPD       Y2, Y1, Y1
	VCVTPD2PSY   Y1, X1
	VCVTDQ2PD    X10, Y3
	VSUBPD       Y3, Y4, Y3
	VCVTPD2PSY   Y3, X3
	VPCMPEQD     X9, X10, X5
	VBLENDVPS    X5, X15, X3, X3
	VPSLLD       $5, X9, X9
	VPSLLD       $5, X10, X10
	VMOVDQU      X9, level_a(DI)(R11*4)
	VMOVDQU      X10, level_b(DI)(R11*4)
	SHARE(X1, level_f0, level_w0)
	SHARE(X3, level_f1, level_w1)
	ADDQ $64, SI
	ADDQ $4, R11
	SUBQ $4, CX
	JGE  next

done:
	ADDQ  $4, CX
	MOVQ  CX, level_left(DI)
	MOVQ  R11, CX
	XORL  R11, R11
	TESTQ CX, CX
	JEQ   none

add: // block R11; Y15 is 1 everywhere
	MOVL         level_wy(DI)(R11*4), AX
	VBROADCASTSS (R8)(AX*4), Y6
	MOVBLZX      (BX)(R11*1), DX
	ROLB         $1, DX
	SHLL         $5, DX
	VBROADCASTSS level_light(DI)(R11*4), Y2
	VBLENDPS     $7, Y15, Y2, Y2
	VMULPS       Y6, Y2, Y2
	VMULPS       (R10)(DX*1), Y2, Y7
	VBROADCASTSS level_fy(DI)(R11*4), Y1
	VBLENDPS     $2, Y1, Y7, Y7
	MOVL         level_w0(DI)(R11*4), AX
	VBROADCASTSS (R8)(AX*4), Y8
	VBROADCASTSS level_f0(DI)(R11*4), Y1
	VBLENDPS     $2, Y1, Y8, Y8
	VMULPS       Y7, Y8, Y8
	MOVL         level_w1(DI)(R11*4), AX
	VBROADCASTSS (R8)(AX*4), Y9
	VBROADCASTSS level_f1(DI)(R11*4), Y1
	VBLENDPS     $2, Y1, Y9, Y9
	VMULPS       Y7, Y9, Y9
	MOVL         level_a(DI)(R11*4), AX
	MOVL         level_b(DI)(R11*4), DX
	VADDPS       (R12)(AX*1), Y8, Y0
	VMOVUPS      Y0, (R12)(AX*1)
	VSUBPS       Y8, Y7, Y1
	VADDPS       32(R12)(AX*1), Y1, Y1
	VMOVUPS      Y1, 32(R12)(AX*1)
	VSUBPS       Y7, Y9, Y0
	VADDPS       (R12)(DX*1), Y0, Y0
	VMOVUPS      Y0, (R12)(DX*1)
	VMOVUPS      32(R12)(DX*1), Y1
	VSUBPS       Y9, Y1, Y1
	VMOVUPS      Y1, 32(R12)(DX*1)
	SHRL         $8, AX
	SHRL         $8, DX
	MOVW         $0x0101, (R13)(AX*1)
	MOVW         $0x0101, (R13)(DX*1)
	INCQ         R11
	CMPQ         R11, CX
	JNE          add

none:
	VZEROUPPER
	RET
