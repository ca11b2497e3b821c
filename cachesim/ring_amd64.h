// The ring of the set BX of four or of eight, in R8, as ringOf makes it; all in it are marked. CX is lost.

DATA marks<>+0(SB)/8, $0
DATA marks<>+8(SB)/8, $1
DATA marks<>+16(SB)/8, $0
DATA marks<>+24(SB)/8, $1
GLOBL marks<>(SB), RODATA|NOPTR, $32

// The indices of cells as VPUNPCKHQDQ leaves their stamps, and how far behind the first one they are.
DATA indices<>+0(SB)/8, $0
DATA indices<>+8(SB)/8, $2
DATA indices<>+16(SB)/8, $1
DATA indices<>+24(SB)/8, $3
DATA indices<>+32(SB)/8, $4
DATA indices<>+40(SB)/8, $6
DATA indices<>+48(SB)/8, $5
DATA indices<>+56(SB)/8, $7
GLOBL indices<>(SB), RODATA|NOPTR, $64

DATA behind<>+0(SB)/8, $0
DATA behind<>+8(SB)/8, $32
DATA behind<>+16(SB)/8, $16
DATA behind<>+24(SB)/8, $48
DATA behind<>+32(SB)/8, $64
DATA behind<>+40(SB)/8, $96
DATA behind<>+48(SB)/8, $80
DATA behind<>+56(SB)/8, $112
GLOBL behind<>(SB), RODATA|NOPTR, $64

// STAMPS marks four cells and has their stamps in a, with the cells' indices for the marks.
#define STAMPS(at, index, a, b) \
	VMOVDQU at(BX), a; \
	VMOVDQU (at+32)(BX), b; \
	VPOR    Y15, a, a; \
	VPOR    Y15, b, b; \
	VMOVDQU a, at(BX); \
	VMOVDQU b, (at+32)(BX); \
	VPUNPCKHQDQ b, a, a; \
	VPXOR   Y14, a, a; \
	VPOR    index, a, a

// OVER counts for each stamp of Y0 and Y1 the lesser one of those at lane.
#define OVER(lane, from) \
	VPERMQ   $lane, from, Y2; \
	VPCMPGTQ Y2, Y0, Y3; \
	VPSUBQ   Y3, Y6, Y6; \
	VPCMPGTQ Y2, Y1, Y3; \
	VPSUBQ   Y3, Y7, Y7

// STAMP marks the cell i and has its stamp in a. BEFORE makes a bit of whether b is less than a.
#define STAMP(i, a) \
	MOVQ (16*i+8)(BX), a; \
	ORQ  $1, a; \
	MOVQ a, (16*i+8)(BX)

#define BEFORE(a, b) \
	CMPQ b, a; \
	ADCL R8, R8

TEXT ringOf4<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ R9, X0
	MOVQ R12, X1
	ADDQ R11, BX
	STAMP(0, R11)
	STAMP(1, R12)
	STAMP(2, R9)
	STAMP(3, CX)
	XORL R8, R8
	BEFORE(R11, R12)
	BEFORE(R11, R9)
	BEFORE(R11, CX)
	BEFORE(R12, R9)
	BEFORE(R12, CX)
	BEFORE(R9, CX)
	MOVQ march_rings4(R13), R11
	MOVQ (R11)(R8*8), R8
	MOVQ X0, R9
	MOVQ X1, R12
	MOVQ march_cells(R13), R11
	SUBQ R11, BX
	RET

// Of eight, each is compared with all: how many are less is its place.
TEXT ringOf8<>(SB), NOSPLIT|NOFRAME, $0-0
	ADDQ R11, BX
	VMOVDQU marks<>(SB), Y15
	VPUNPCKHQDQ Y15, Y15, Y14
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	STAMPS(0, indices<>+0(SB), Y0, Y1)
	STAMPS(64, indices<>+32(SB), Y1, Y2)
	OVER(0x00, Y0)
	OVER(0x55, Y0)
	OVER(0xaa, Y0)
	OVER(0xff, Y0)
	OVER(0x00, Y1)
	OVER(0x55, Y1)
	OVER(0xaa, Y1)
	OVER(0xff, Y1)
	VMOVDQU behind<>+0(SB), Y0
	VMOVDQU behind<>+32(SB), Y1
	VPSLLQ  $3, Y6, Y6
	VPSLLQ  $3, Y7, Y7
	VPSLLVQ Y6, Y0, Y0
	VPSLLVQ Y7, Y1, Y1
	VPOR    Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPOR X1, X0, X0
	VPUNPCKHQDQ X0, X0, X1
	VPOR X1, X0, X0
	VMOVQ X0, R8
	VZEROUPPER
	SUBQ R11, BX
	RET
