// Cells of classes become pixels; the Go twin is resolveAny (weigh.go).
// What it gains is in stroke_amd64.s.

#include "go_asm.h"
#include "textflag.h"

DATA bounds<>+0(SB)/4, $0x3727c5ac  // 1e-5
DATA bounds<>+4(SB)/4, $0x358637bd  // 1e-6
DATA bounds<>+8(SB)/4, $0x3a83126f  // 1e-3
DATA bounds<>+12(SB)/4, $0x3f7fff58 // 1 - 1e-5
DATA bounds<>+16(SB)/4, $0x3f800000 // 1
DATA bounds<>+20(SB)/4, $0x46800000 // srgbSteps
DATA bounds<>+24(SB)/4, $0x3f000000 // 0.5
DATA bounds<>+28(SB)/8, $0x0000000400000003 // where a cell has its colour
DATA bounds<>+36(SB)/8, $0x0000000000000005
GLOBL bounds<>(SB), RODATA|NOPTR, $44

// func resolveClasses(n *line)
//
// The sums are in Y0.
TEXT ·resolveClasses(SB), NOSPLIT, $0-8
	MOVQ         n+0(FP), DI
	MOVQ         line_cells(DI), SI
	MOVQ         line_pix(DI), DX
	MOVQ         line_count(DI), CX
	MOVQ         line_pow(DI), R9
	MOVQ         line_srgb(DI), R10
	MOVL         line_now(DI), R8
	VMOVUPS      line_sum(DI), Y0
	VMOVUPS      line_ground(DI), X14
	VMOVDQU      bounds<>+28(SB), X13
	VBROADCASTSS bounds<>+20(SB), X12
	VBROADCASTSS bounds<>+24(SB), X11
	VMOVSS       bounds<>+16(SB), X9
	VXORPS       Y15, Y15, Y15
	TESTQ        CX, CX
	JLE          done

next:
	VMOVUPS (SI), Y1
	VPTEST  Y1, Y1
	JEQ     put
	VMOVUPS Y15, (SI)
	VADDPS  Y1, Y0, Y0

	// Weight in X0, share in X2, color weight in X3, as pixel has it.
	MOVL         line_back(DI), R8
	VMOVSHDUP    X0, X2
	VPERMILPS    $0xaa, X0, X3
	VUCOMISS     bounds<>+0(SB), X0
	JCS          put
	VUCOMISS     X15, X3
	JLS          put
	VUCOMISS     bounds<>+4(SB), X2
	JCC          seen
	VUCOMISS     bounds<>+8(SB), X0
	JCS          put

seen:
	VXORPS       X4, X4, X4         // what is left of the ground
	VUCOMISS     bounds<>+12(SB), X2
	JHI          mix
	VMOVAPS      X9, X4
	VUCOMISS     X15, X2
	JCS          mix
	VSUBSS       X2, X9, X4
	VMOVD        X4, AX
	ADDL         $0x4000, AX
	SHRL         $15, AX
	VMOVSS       (R9)(AX*4), X4

mix:
	VADDSS       X4, X0, X5
	VMULSS       X3, X5, X5
	VDIVSS       X5, X9, X5
	VMULSS       X5, X0, X6
	VMULSS       X5, X3, X5
	VMULSS       X5, X4, X4
	VBROADCASTSS X6, X6
	VBROADCASTSS X4, X4
	VPERMPS      Y0, Y13, Y7
	VMULPS       X6, X7, X7
	VMULPS       X14, X4, X4
	VADDPS       X4, X7, X7
	VMULPS       X12, X7, X7
	VADDPS       X11, X7, X7
	VMINPS       X7, X12, X7
	VCVTTPS2DQ   X7, X7
	VPMAXSD      X15, X7, X7
	VMOVQ        X7, AX
	VPEXTRD      $2, X7, R11
	MOVL         AX, BX
	SHRQ         $32, AX
	MOVBLZX      (R10)(BX*1), BX
	MOVBLZX      (R10)(AX*1), AX
	MOVBLZX      (R10)(R11*1), R11
	SHLL         $8, AX
	SHLL         $16, R11
	LEAL         (BX)(AX*1), R8
	ORL          R11, R8
	ORL          $0xff000000, R8

put:
	MOVL R8, (DX)
	ADDQ $32, SI
	ADDQ $4, DX
	DECQ CX
	JNZ  next

done:
	MOVL    R8, line_now(DI)
	VMOVUPS Y0, line_sum(DI)
	VZEROUPPER
	RET
