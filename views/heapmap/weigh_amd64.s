// Strokes are added to the cells of their rows; the Go twin is scatterAny (weigh.go).
// What it gains is in stroke_amd64.s.

#include "go_asm.h"
#include "textflag.h"

// POWER makes the number at mem the index of its power.
#define POWER(mem, reg) \
	MOVL mem, reg      \
	ADDL $0x4000, reg  \
	SHRL $15, reg

// COLUMNS adds the stroke, of which Y7 is the change of a whole column, to the cells of the row at R12, and marks them at R13. Y8 is the change
// of the first column, Y9 of the last one: Y7 times {w0, f0, w0, w0, w0, w0} and so on.
#define COLUMNS \
	MOVL stroke_f0(SI), AX         \
	ADDL $0x4000, AX               \
	SHRL $15, AX                   \
	VBROADCASTSS (R8)(AX*4), Y8    \
	VBROADCASTSS stroke_f0(SI), Y1 \
	VBLENDPS     $2, Y1, Y8, Y8    \
	VMULPS       Y7, Y8, Y8        \
	MOVL stroke_f1(SI), AX         \
	ADDL $0x4000, AX               \
	SHRL $15, AX                   \
	VBROADCASTSS (R8)(AX*4), Y9    \
	VBROADCASTSS stroke_f1(SI), Y1 \
	VBLENDPS     $2, Y1, Y9, Y9    \
	VMULPS       Y7, Y9, Y9        \
	MOVWLZX stroke_a(SI), AX       \
	MOVWLZX stroke_b(SI), BX       \
	MOVQ    AX, DX                 \
	SHLQ    $5, DX                 \
	ADDQ    R12, DX                \
	MOVQ    BX, R15                \
	SHLQ    $5, R15                \
	ADDQ    R12, R15               \
	VADDPS  (DX), Y8, Y0           \
	VMOVUPS Y0, (DX)               \
	VSUBPS  Y8, Y7, Y1             \
	VADDPS  32(DX), Y1, Y1         \
	VMOVUPS Y1, 32(DX)             \
	VSUBPS  Y7, Y9, Y0             \
	VADDPS  (R15), Y0, Y0          \
	VMOVUPS Y0, (R15)              \
	VMOVUPS 32(R15), Y1            \
	VSUBPS  Y9, Y1, Y1             \
	VMOVUPS Y1, 32(R15)            \
	SHRQ $3, AX                    \
	SHRQ $3, BX                    \
	MOVW $0x0101, (R13)(AX*1)      \
	MOVW $0x0101, (R13)(BX*1)

// func scatterClasses(b *brush)
//
// A register holds a whole cell.
TEXT ·scatterClasses(SB), NOSPLIT, $0-8
	MOVQ b+0(FP), DI
	MOVQ brush_strokes(DI), SI
	MOVQ (brush_strokes+8)(DI), CX
	MOVQ brush_pow(DI), R8
	MOVQ brush_colorWeight(DI), R9
	MOVQ brush_shades(DI), R10
	MOVL $0x3f800000, AX
	VMOVD AX, X12              // 1
	TESTQ CX, CX
	JLE  done

next:
	MOVBLZX stroke_row(SI), AX
	MOVBLZX stroke_class(SI), BX
	MOVQ    brush_rows(DI)(AX*8), R12
	MOVQ    brush_lines(DI)(AX*8), R13
	MOVQ    brush_dither(DI)(AX*8), DX

	// The weight of the class in all of Y5, colorWeight (1 - loss dither), and wy in all of Y6.
	MOVL         BX, AX
	ANDL         $0x7f, AX
	MOVBLZX      stroke_dither(SI), R15
	VXORPS       X1, X1, X1
	VCVTSI2SSL   R15, X1, X1
	VMULSS       (DX)(AX*4), X1, X1
	VSUBSS       X1, X12, X5
	POWER(stroke_value(SI), AX)
	VMULSS       (R9)(AX*4), X5, X5
	VBROADCASTSS X5, Y5
	POWER(stroke_fy(SI), AX)
	VBROADCASTSS (R8)(AX*4), Y6

	// {wy, fy, m, m light r, m light g, m light b}
	VMULSS       stroke_light(SI), X6, X2
	VBROADCASTSS X2, Y2
	VBLENDPS     $7, Y6, Y2, Y2
	SHLQ         $5, BX
	VMULPS       (R10)(BX*1), Y5, Y5
	VMULPS       Y5, Y2, Y7
	VBROADCASTSS stroke_fy(SI), Y1
	VBLENDPS     $1, Y6, Y7, Y7
	VBLENDPS     $2, Y1, Y7, Y7

	COLUMNS

	ADDQ $stroke__size, SI
	DECQ CX
	JNZ  next

done:
	VZEROUPPER
	RET

// func scatterAmounts(b *brush)
TEXT ·scatterAmounts(SB), NOSPLIT, $0-8
	MOVQ         b+0(FP), DI
	MOVQ         brush_strokes(DI), SI
	MOVQ         (brush_strokes+8)(DI), CX
	MOVQ         brush_pow(DI), R8
	MOVL         $0x3f800000, AX
	VMOVD        AX, X10
	VBROADCASTSS X10, Y10              // 1
	MOVL         $const_dimmedBits, AX
	VMOVD        AX, X11
	VBROADCASTSS X11, Y11
	VXORPS       Y12, Y12, Y12
	TESTQ        CX, CX
	JLE          done

next:
	MOVBLZX stroke_row(SI), AX
	MOVQ    brush_rows(DI)(AX*8), R12
	MOVQ    brush_lines(DI)(AX*8), R13

	// {wy, fy, wy, wy value, wy light, wy}, the last of these dimmed or not
	VBLENDPS     $0x27, Y10, Y12, Y7
	CMPB         stroke_class(SI), $0
	JEQ          bright
	VBLENDPS     $0x20, Y11, Y7, Y7

bright:
	VBROADCASTSS stroke_value(SI), Y1
	VBLENDPS     $8, Y1, Y7, Y7
	VBROADCASTSS stroke_light(SI), Y1
	VBLENDPS     $0x10, Y1, Y7, Y7
	POWER(stroke_fy(SI), AX)
	VBROADCASTSS (R8)(AX*4), Y6
	VMULPS       Y6, Y7, Y7
	VBROADCASTSS stroke_fy(SI), Y1
	VBLENDPS     $2, Y1, Y7, Y7
	COLUMNS

	ADDQ $stroke__size, SI
	DECQ CX
	JNZ  next

done:
	VZEROUPPER
	RET
