#include "textflag.h"

// func goOnVectors(rows []Row, round int) (n int)
//
// As goOnAny does it, with AVX2: what goes on by the same amount is half of what is a round before and a round after.
//
//	SI row   DX a round on   BX two rounds on   R9 rows so far, in bytes   CX rows left
TEXT ·goOnVectors(SB), NOSPLIT, $0-40
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), CX
	MOVQ round+24(FP), DX
	SUBQ DX, CX
	SUBQ DX, CX
	SHLQ $4, DX
	LEAQ (SI)(DX*2), BX
	ADDQ SI, DX
	XORL R9, R9

four:
	SUBQ    $4, CX
	JLT     last
	VMOVDQU (DX)(R9*1), Y0
	VMOVDQU 32(DX)(R9*1), Y1
	VMOVDQU (SI)(R9*1), Y2
	VMOVDQU 32(SI)(R9*1), Y3
	VPADDQ  Y0, Y0, Y0
	VPADDQ  Y1, Y1, Y1
	VPADDQ  (BX)(R9*1), Y2, Y2
	VPADDQ  32(BX)(R9*1), Y3, Y3
	VPXOR   Y0, Y2, Y2
	VPXOR   Y1, Y3, Y3
	VPOR    Y2, Y3, Y3
	VPTEST  Y3, Y3
	JNE     last
	ADDQ    $64, R9
	JMP     four

last: // one by one
	ADDQ $4, CX

one:
	SUBQ $1, CX
	JLT  done
	MOVQ (SI)(R9*1), AX
	MOVQ (DX)(R9*1), DI
	ADDQ (BX)(R9*1), AX
	ADDQ DI, DI
	CMPQ AX, DI
	JNE  done
	MOVQ 8(SI)(R9*1), AX
	MOVQ 8(DX)(R9*1), DI
	ADDQ 8(BX)(R9*1), AX
	ADDQ DI, DI
	CMPQ AX, DI
	JNE  done
	ADDQ $16, R9
	JMP  one

done:
	VZEROUPPER
	SHRQ $4, R9
	MOVQ R9, n+32(FP)
	RET
