#include "go_asm.h"
#include "textflag.h"

DATA hashing<>+0(SB)/8, $0x9e3779b97f4a7c15 // as in guess
DATA hashing<>+8(SB)/8, $0xd6e8feb86659fd93
GLOBL hashing<>(SB), RODATA|NOPTR, $16

// GUESS has in BX the table of guesses, and in SI the place in it of the guess for a row: its site, and the address before.
#define GUESS \
	MOVL  (R9)(R12*2), SI;           \
	IMULQ hashing<>+0(SB), SI;       \
	XORQ  R13, SI;                   \
	IMULQ hashing<>+8(SB), SI;       \
	SHRQ  $(64-const_guessBits), SI; \
	MOVQ  residing_guess(R15), BX

// func residentRows(x *residing)
//
// As residentAny does it. Only what a miss is, and which site goes by a rare way, is worth a branch.
//
//	R8 recs   R9 refs, before the first by the rows of addrs   R10 addrs   R11 told   R12 twice the row   R13 address of the row before
//	R14 twice the end of up to 64 rows   R15 x   AX the row's rec   CX missed, of those   SI addr   BX, DX, DI anything
TEXT ·residentRows(SB), NOSPLIT, $16-8
	MOVQ x+0(FP), R15
	MOVQ residing_recs(R15), R8
	MOVQ residing_refs(R15), R9
	MOVQ residing_addrs(R15), R10
	MOVQ residing_told(R15), R11
	MOVQ residing_from(R15), R12
	MOVQ (residing_refs+8)(R15), BX
	MOVQ residing_before(R15), R13
	LEAQ (R12*4), AX
	SUBQ AX, R9
	ADDQ R12, BX
	ADDQ BX, BX
	ADDQ R12, R12
	MOVQ BX, end-8(SP)
	MOVQ $0, word-16(SP)
	CMPQ R12, BX
	JEQ  done

word:
	MOVQ word-16(SP), DI
	MOVQ residing_missed(R15), SI
	MOVQ (SI)(DI*8), CX
	INCQ DI
	MOVQ DI, word-16(SP)
	LEAQ 128(R12), R14
	CMPQ R14, BX
	CMOVQHI BX, R14

row:
	MOVL (R9)(R12*2), AX
	LEAQ (AX)(AX*4), AX
	LEAQ (R8)(AX*8), AX         // rec__size
	SHRQ $1, CX
	JCS  miss
	MOVQ rec_next(AX), DX
	MOVL rec_way(AX), DI
	CMPL DI, $const_wayBefore
	JHI  rare
	NEGQ DI                     // all ones by wayBefore
	ANDQ R13, DI
	LEAQ (DX)(DI*1), SI

hit:
	ADDQ rec_step(AX), DX
	MOVQ DX, rec_next(AX)
	MOVQ SI, (R10)(R12*4)
	MOVQ SI, R13
	ADDQ $2, R12
	MOVL R12, rec_mark(AX)
	CMPQ R12, R14
	JNE  row

last:
	MOVQ end-8(SP), BX
	CMPQ R12, BX
	JNE  word

done:
	MOVQ R13, residing_before(R15)
	RET

rare:
	MOVQ DX, SI
	CMPL DI, $const_wayGuess
	JEQ  guessed
	CMPL DI, $const_wayDouble
	JEQ  double
	CMPQ R12, $4
	JCS  hit
	ADDQ -16(R10)(R12*4), SI
	JMP  hit

double:
	LEAQ (SI)(R13*2), SI
	JMP  hit

guessed:
	GUESS
	MOVQ  (BX)(SI*8), SI        // and stays there
	JMP   hit

miss:
	XORL    BX, BX              // where to put it down
	XORL    DI, DI
	CMPL    rec_way(AX), $const_wayGuess
	JEQ     noted
	CMPB    residing_noting(R15), DI
	JEQ     linear

noted:
	GUESS
	LEAQ  (BX)(SI*8), BX

linear:
	MOVBLZX told_base(R11), DI
	MOVL    rec_mark(AX), SI
	XORL    DX, DX              // last
	MOVQ    R13, R15            // how far the row before has gone
	SHRL    $1, SI
	JEQ     gone
	MOVQ    -8(R10)(SI*8), DX
	CMPL    SI, $2
	JCS     gone
	SUBQ    -16(R10)(SI*8), R15

gone:
	CMPL    DI, $const_waySecond
	JEQ     second
	CMPL    DI, $const_wayDouble
	JEQ     twice
	CMPL    DI, $const_wayStride
	CMOVQEQ rec_stride(AX), R15
	XORL    SI, SI
	CMPL    DI, $const_baseLast
	CMOVQEQ SI, R15
	MOVQ    R13, SI
	SUBQ    DX, SI
	CMPL    DI, $const_baseBefore
	CMOVQEQ SI, R15
	CMPL    DI, $const_wayGuess
	JEQ     guess

far:
	ADDQ  told_distance(R11), R15
	LEAQ  (R15)(DX*1), SI
	TESTQ BX, BX
	JEQ   found
	MOVQ  SI, (BX)

found:
	MOVQ    rec_delta(AX), BX
	MOVBLZX told_way(R11), DI
	ADDQ    $told__size, R11
	CMPL    DI, $const_wayKept
	CMOVLEQ rec_way(AX), DI
	XORL    DX, DX
	TESTQ   BX, BX
	SETEQ   DX
	ORL     rec_mark(AX), DX
	ANDL    $1, DX
	CMOVLEQ rec_way(AX), DI     // it is not open
	TESTB   $1, rec_mark(AX)
	CMOVQEQ rec_step(AX), BX
	MOVQ    rec_stride(AX), DX
	CMPQ    R15, BX
	CMOVQEQ R15, DX
	MOVQ    DX, rec_stride(AX)
	MOVQ    R15, rec_delta(AX)
	MOVL    DI, rec_way(AX)
	XORL    BX, BX
	CMPL    DI, $const_wayStride
	CMOVQNE BX, DX
	MOVQ    DX, rec_step(AX)
	ADDQ    SI, DX
	CMPL    DI, $const_wayBefore
	CMOVQEQ R13, BX
	SUBQ    BX, DX
	CMPL    DI, $const_waySecond
	JEQ     nextSecond
	CMPL    DI, $const_wayDouble
	JEQ     nextTwice

next:
	MOVQ DX, rec_next(AX)
	MOVQ SI, (R10)(R12*4)
	MOVQ SI, R13
	ADDQ $2, R12
	LEAL 1(R12), BX
	MOVL BX, rec_mark(AX)
	MOVQ x+0(FP), R15
	CMPQ R12, R14
	JNE  row
	JMP  last

second:
	XORL R15, R15
	CMPQ R12, $4
	JCS  earlier
	MOVQ -16(R10)(R12*4), R15

earlier:
	CMPL SI, $3
	JCS  far
	SUBQ -24(R10)(SI*8), R15
	JMP  far

twice:
	ADDQ R15, R15
	JMP  far

guess: // nothing is guessed where nothing is noted
	TESTQ BX, BX
	JEQ   far
	MOVQ  (BX), R15
	SUBQ  DX, R15
	JMP   far

nextSecond:
	CMPQ R12, $4
	JCS  next
	SUBQ -16(R10)(R12*4), DX
	JMP  next

nextTwice:
	SUBQ R13, DX
	SUBQ R13, DX
	JMP  next
