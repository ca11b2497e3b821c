#include "go_asm.h"
#include "textflag.h"

// HASH makes the place of a guess in CX from the site in BX, the address in R12 and the register of its own.
#define HASH(own) \
	MOVQ  $0x9e3779b97f4a7c15, CX; \
	MOVQ  $0xd6e8feb86659fd93, own; \
	IMULQ BX, CX;                  \
	XORQ  R12, CX;                 \
	IMULQ own, CX;                 \
	SHRQ  $(64-const_guessBits), CX

// func compareRows(x *comparing)
//
// As compareAny does it; what a miss is told by is chosen without a branch.
//
//	R8 recs   R9 refs   R10 addresses   R11 address   R12 address before   R13 row   R14 its mark   R15 miss   DI rec
TEXT ·compareRows(SB), NOSPLIT, $56-8
	MOVQ x+0(FP), BX
	MOVQ comparing_recs(BX), R8
	MOVQ comparing_refs(BX), R9
	MOVQ (comparing_refs+8)(BX), AX
	MOVQ AX, rows-8(SP)
	MOVQ comparing_addrs(BX), R10
	MOVQ comparing_place(BX), AX
	LEAQ (8*const_margin)(R10)(AX*8), R11
	LEAL 2(AX)(AX*1), R14
	MOVQ comparing_before(BX), R12
	MOVQ comparing_guess(BX), AX
	MOVQ AX, guess-16(SP)
	MOVBQZX comparing_noting(BX), AX
	MOVQ AX, noting-24(SP)
	MOVQ comparing_until(BX), AX
	MOVQ AX, until-32(SP)
	LEAQ comparing_misses(BX), R15
	XORL R13, R13
	MOVQ R13, missed-40(SP)
	MOVQ R13, right-48(SP)

row:
	CMPQ R13, rows-8(SP)
	JEQ  done
	MOVL (R9)(R13*4), BX
	MOVQ (R11), AX
	LEAQ (BX)(BX*4), DI
	LEAQ (R8)(DI*8), DI
	MOVL rec_way(DI), DX
	MOVQ rec_next(DI), SI
	CMPL DX, $const_wayBefore
	JHI  special
	NEGQ DX
	ANDQ R12, DX
	ADDQ DX, SI

expect:
	CMPQ AX, SI
	JNE  miss
	MOVQ rec_step(DI), DX
	MOVL R14, rec_mark(DI)
	ADDQ DX, rec_next(DI)

next:
	MOVQ AX, R12
	ADDQ $8, R11
	ADDL $2, R14
	INCQ R13
	JMP  row

special:
	CMPL DX, $const_wayDouble
	JEQ  double
	JHI  guessed
	ADDQ -16(R11), SI
	JMP  expect

double:
	LEAQ (SI)(R12*2), SI
	JMP  expect

guessed:
	HASH(DX)
	MOVQ guess-16(SP), DX
	MOVQ (DX)(CX*8), SI
	MOVQ AX, (DX)(CX*8)
	JMP  expect

miss:
	MOVQ missed-40(SP), CX
	BTSQ R13, CX
	MOVQ CX, missed-40(SP)
	MOVL $const_ways, DX
	CMPQ noting-24(SP), $0
	JEQ  choose
	CMPL rec_way(DI), $const_wayGuess
	JEQ  choose
	HASH(SI)
	MOVQ guess-16(SP), SI
	LEAQ (SI)(CX*8), SI
	MOVL $const_wayGuess, CX
	CMPQ AX, (SI)
	CMOVLEQ CX, DX
	MOVQ AX, (SI)

choose: // the last that is right
	MOVL rec_mark(DI), CX
	SHRL $1, CX
	LEAQ (R10)(CX*8), SI
	MOVQ AX, CX
	SUBQ 16(SI), CX             // the distance from the site's last
	MOVQ R12, BX
	SUBQ 8(SI), BX              // how far the row before has gone
	MOVQ -16(R11), BP
	SUBQ (SI), BP               // and that before it
	LEAQ (BX)(BX*1), SI
	CMPQ CX, SI
	MOVL $const_wayDouble, SI
	CMOVLEQ SI, DX
	CMPQ CX, BP
	MOVL $const_waySecond, SI
	CMOVLEQ SI, DX
	CMPQ CX, BX
	MOVL $const_wayBefore, SI
	CMOVLEQ SI, DX
	CMPQ CX, rec_stride(DI)
	MOVL $const_wayStride, SI
	CMOVLEQ SI, DX
	MOVQ CX, miss_d(R15)
	MOVQ AX, SI
	SUBQ R12, SI
	MOVQ SI, miss_e(R15)
	MOVQ DX, miss_way(R15)
	ADDQ $miss__size, R15
	XORL SI, SI
	CMPL DX, $const_wayGuess
	SETEQ SI
	ADDQ SI, right-48(SP)

	MOVL    rec_mark(DI), SI
	MOVQ    rec_step(DI), BX
	TESTL   $1, SI
	CMOVQNE rec_delta(DI), BX
	CMPQ    CX, BX
	MOVQ    rec_stride(DI), BX
	CMOVQEQ CX, BX
	MOVQ    BX, rec_stride(DI)
	MOVL    rec_way(DI), BP     // it stays so when no other is right or the site is not open
	CMPL    DX, $const_ways
	CMOVLEQ BP, DX
	ANDL    $1, SI
	XORL    BX, BX
	CMPQ    rec_delta(DI), $0
	SETEQ   BX
	ORL     BX, SI
	CMOVLEQ BP, DX
	MOVQ    CX, rec_delta(DI)
	LEAL    1(R14), SI
	MOVL    SI, rec_mark(DI)
	MOVL    DX, rec_way(DI)

	XORL    SI, SI
	XORL    CX, CX
	LEAQ    (R12)(R12*1), BX
	TESTL   DX, DX
	CMOVQEQ rec_stride(DI), SI
	MOVQ    SI, rec_step(DI)
	CMPL    DX, $const_wayBefore
	CMOVQEQ R12, CX
	CMPL    DX, $const_waySecond
	CMOVQEQ -16(R11), CX
	CMPL    DX, $const_wayDouble
	CMOVQEQ BX, CX
	ADDQ    AX, SI
	SUBQ    CX, SI
	MOVQ    SI, rec_next(DI)
	DECQ    until-32(SP)
	JNE     next
	MOVQ    AX, R12
	INCQ    R13

done:
	MOVQ x+0(FP), BX
	MOVQ R13, comparing_rows(BX)
	MOVQ R12, comparing_before(BX)
	MOVQ missed-40(SP), AX
	MOVQ AX, comparing_missed(BX)
	MOVQ right-48(SP), AX
	MOVQ AX, comparing_right(BX)
	RET
