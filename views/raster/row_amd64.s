#include "textflag.h"

// func spanFours(pix *uint8, fours int, word, a uint32)
//
// As spanAny does it: (channel (256-a) + ink a + 128) / 256 for each channel, in 16 bits without a sign, which that never leaves.
TEXT ·spanFours(SB), NOSPLIT, $0-24
	MOVQ pix+0(FP), DI
	MOVQ fours+8(FP), CX
	MOVL word+16(FP), AX
	MOVL a+20(FP), BX

	PXOR       X15, X15
	MOVQ       AX, X1
	PUNPCKLBW  X15, X1
	PUNPCKLQDQ X1, X1         // the ink's channels, twice
	MOVQ       BX, X2
	PSHUFLW    $0, X2, X2
	PUNPCKLQDQ X2, X2         // a
	MOVL       $256, AX
	SUBL       BX, AX
	MOVQ       AX, X3
	PSHUFLW    $0, X3, X3
	PUNPCKLQDQ X3, X3         // 256-a
	MOVL       $0x00800080, AX
	MOVQ       AX, X4
	PSHUFD     $0, X4, X4
	PMULLW     X2, X1
	PADDW      X4, X1         // ink a + 128

four:
	MOVOU     (DI), X5
	MOVO      X5, X6
	PUNPCKLBW X15, X5
	PUNPCKHBW X15, X6
	PMULLW    X3, X5
	PMULLW    X3, X6
	PADDW     X1, X5
	PADDW     X1, X6
	PSRLW     $8, X5
	PSRLW     $8, X6
	PACKUSWB  X6, X5
	MOVOU     X5, (DI)
	ADDQ      $16, DI
	DECQ      CX
	JNE       four
	RET
