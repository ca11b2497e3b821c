#include "go_asm.h"
#include "textflag.h"

// WEIGHT looks the power up of the number at mem: reg becomes its index, x the weight.
#define WEIGHT(mem, table, reg, x) \
	MOVL mem, reg              \
	ADDL $0x4000, reg          \
	SHRL $15, reg              \
	MOVSS (table)(reg*4), x

// MARK marks the cells around column reg, which it changes.
#define MARK(reg, tmp) \
	LEAQ 1(reg), tmp   \
	SHRQ $3, reg       \
	SHRQ $3, tmp       \
	MOVB $1, (R13)(reg*1) \
	MOVB $1, (R13)(tmp*1)

// func scatterClasses(b *brush)
//
// A cell is loaded in two parts, {w, f} in X0 and {m, r, g, b} in X1; the same parts of the change of a whole column are X6 and X7,
// of the first column X8 and X9, of the last one X10 and X11.
TEXT ·scatterClasses(SB), NOSPLIT, $0-8
	MOVQ b+0(FP), DI
	MOVQ brush_strokes(DI), SI
	MOVQ (brush_strokes+8)(DI), CX
	MOVQ brush_pow(DI), R8
	MOVQ brush_say(DI), R9
	MOVQ brush_shades(DI), R10
	MOVQ brush_cells(DI), R11
	MOVL $0x3f800000, AX
	MOVL AX, X12               // 1
	TESTQ CX, CX
	JLE  done

next:
	MOVBLZX stroke_row(SI), AX
	MOVBLZX stroke_class(SI), BX
	MOVQ    AX, R12
	IMULQ   brush_across(DI), R12
	LEAQ    (R12)(R12*2), R12
	LEAQ    (R11)(R12*8), R12          // the row's cells
	MOVQ    AX, R13
	IMULQ   brush_marked(DI), R13
	ADDQ    brush_marks(DI), R13       // the row's marks
	MOVQ    brush_turns(DI)(AX*8), DX

	// m = wy (1 - turns turn) say
	MOVL     BX, AX
	ANDL     $0x7f, AX
	MOVBLZX  stroke_turn(SI), R15
	XORPS    X1, X1
	CVTSL2SS R15, X1
	MULSS    (DX)(AX*4), X1
	MOVAPS   X12, X5
	SUBSS    X1, X5
	WEIGHT(stroke_fy(SI), R8, AX, X6)
	MULSS    X6, X5
	WEIGHT(stroke_value(SI), R9, AX, X1)
	MULSS    X1, X5

	// X7 = {m, m light r, m light g, m light b}, X6 = {wy, fy}
	MOVSS    stroke_light(SI), X2
	MULSS    X5, X2
	SHUFPS   $0, X2, X2
	MOVSS    X5, X2
	SHLQ     $4, BX
	MOVUPS   (R10)(BX*1), X7
	MULPS    X2, X7
	MOVSS    stroke_fy(SI), X1
	UNPCKLPS X1, X6

	// The first column's, with {w0, f0} and w0.
	WEIGHT(stroke_f0(SI), R8, AX, X8)
	MOVAPS   X8, X9
	SHUFPS   $0, X9, X9
	MOVSS    stroke_f0(SI), X1
	UNPCKLPS X1, X8
	MULPS    X6, X8
	MULPS    X7, X9

	// The last column's.
	WEIGHT(stroke_f1(SI), R8, AX, X10)
	MOVAPS   X10, X11
	SHUFPS   $0, X11, X11
	MOVSS    stroke_f1(SI), X1
	UNPCKLPS X1, X10
	MULPS    X6, X10
	MULPS    X7, X11

	MOVWLZX stroke_a(SI), AX
	MOVWLZX stroke_b(SI), BX
	LEAQ    (AX)(AX*2), DX
	LEAQ    (R12)(DX*8), DX
	LEAQ    (BX)(BX*2), R15
	LEAQ    (R12)(R15*8), R15

	MOVSD  (DX), X0
	MOVUPS 8(DX), X1
	ADDPS  X8, X0
	ADDPS  X9, X1
	MOVSD  X0, (DX)
	MOVUPS X1, 8(DX)

	MOVAPS X6, X2
	MOVAPS X7, X3
	SUBPS  X8, X2
	SUBPS  X9, X3
	MOVSD  24(DX), X0
	MOVUPS 32(DX), X1
	ADDPS  X2, X0
	ADDPS  X3, X1
	MOVSD  X0, 24(DX)
	MOVUPS X1, 32(DX)

	MOVAPS X10, X2
	MOVAPS X11, X3
	SUBPS  X6, X2
	SUBPS  X7, X3
	MOVSD  (R15), X0
	MOVUPS 8(R15), X1
	ADDPS  X2, X0
	ADDPS  X3, X1
	MOVSD  X0, (R15)
	MOVUPS X1, 8(R15)

	MOVSD  24(R15), X0
	MOVUPS 32(R15), X1
	SUBPS  X10, X0
	SUBPS  X11, X1
	MOVSD  X0, 24(R15)
	MOVUPS X1, 32(R15)

	MARK(AX, DX)
	MARK(BX, DX)

	ADDQ $stroke__size, SI
	DECQ CX
	JNZ  next

done:
	RET
