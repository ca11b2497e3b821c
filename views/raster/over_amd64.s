#include "textflag.h"

// func overFours(below, above *uint8, fours int)
//
// As mix does it, in 16 bits without a sign: x = below (255-opacity), b = x/128 + x/32768, and
// (257 above + x + (x + (b+1)/2)/128) / 256 for each channel, all divisions rounded down. What the sum
// loses beyond 16 bits, mix and image/draw lose too.
TEXT ·overFours(SB), NOSPLIT, $0-24
	MOVQ below+0(FP), DI
	MOVQ above+8(FP), SI
	MOVQ fours+16(FP), CX
	PXOR    X15, X15
	PCMPEQL X14, X14          // all ones

four:
	MOVOU    (SI), X0
	MOVO     X0, X1
	PCMPEQB  X15, X1
	PMOVMSKB X1, AX
	CMPL     AX, $0xffff
	JEQ      next             // empty

	MOVO      X0, X1
	PXOR      X14, X1
	PSRLL     $24, X1         // 255-opacity of each pixel
	PACKSSLW  X1, X1
	PUNPCKLWL X1, X1
	PSHUFD    $0x50, X1, X3   // for each channel of the first two
	PSHUFD    $0xfa, X1, X4   // and of the third and the fourth

	MOVOU     (DI), X2
	MOVO      X2, X5
	PUNPCKLBW X15, X2
	PUNPCKHBW X15, X5
	PMULLW    X3, X2          // x
	PMULLW    X4, X5

	MOVO  X2, X6
	MOVO  X2, X7
	PSRLW $7, X6
	PSRLW $15, X7
	PADDW X7, X6
	PAVGW X15, X6
	PADDW X2, X6
	PSRLW $7, X6
	PADDW X6, X2

	MOVO  X5, X6
	MOVO  X5, X7
	PSRLW $7, X6
	PSRLW $15, X7
	PADDW X7, X6
	PAVGW X15, X6
	PADDW X5, X6
	PSRLW $7, X6
	PADDW X6, X5

	MOVO      X0, X1
	PUNPCKLBW X0, X0          // 257 above
	PUNPCKHBW X1, X1
	PADDW     X0, X2
	PADDW     X1, X5
	PSRLW     $8, X2
	PSRLW     $8, X5
	PACKUSWB  X5, X2
	MOVOU     X2, (DI)

next:
	ADDQ $16, DI
	ADDQ $16, SI
	DECQ CX
	JNE  four
	RET
