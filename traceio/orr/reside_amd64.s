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
	MOVQ  x+0(FP), BX;               \
	MOVQ  residing_guess(BX), BX

// func residentRows(x *residing)
//
// As residentAny does it. Only what a miss is, and which site goes by a rare way, is worth a branch; and a miss that its site's last
// address tells, as most are, is done with apart.
//
//	R8 recs   R9 refs, before the first by the rows of addrs   R10 addrs   R11 control   R12 twice the row   R13 address of the row before
//	R14 twice the end of up to 64 rows   R15 residue   AX the row's rec   CX missed, of those   SI addr   BX, DX, DI, BP anything
TEXT ·residentRows(SB), NOSPLIT, $40-8
	MOVQ x+0(FP), DX
	MOVQ residing_recs(DX), R8
	MOVQ residing_refs(DX), R9
	MOVQ residing_addrs(DX), R10
	MOVQ residing_control(DX), R11
	MOVQ residing_from(DX), R12
	MOVQ (residing_refs+8)(DX), BX
	MOVQ residing_before(DX), R13
	MOVQ residing_residue(DX), R15
	LEAQ (R12*4), AX
	SUBQ AX, R9
	ADDQ R12, BX
	ADDQ BX, BX
	ADDQ R12, R12
	MOVQ BX, end-8(SP)
	MOVQ residing_missed(DX), SI
	MOVQ SI, word-16(SP)
	CMPQ R12, BX
	JEQ  done

word:
	MOVQ word-16(SP), SI
	MOVQ (SI), CX
	ADDQ $8, SI
	MOVQ SI, word-16(SP)
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
	MOVQ x+0(FP), DX
	MOVQ R13, residing_before(DX)
	MOVQ R15, BX
	SUBQ residing_residue(DX), BX
	MOVQ R15, residing_residue(DX)
	SUBQ BX, (residing_residue+8)(DX)
	SUBQ BX, (residing_residue+16)(DX)
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
	MOVBLZX (R11), DI
	INCQ    R11
	SHLL    $4, DI              // origin__size
	LEAQ    ·origins(SB), BX
	ADDQ    BX, DI
	MOVQ    origin_mask(DI), SI
	MOVBLZX origin_width(DI), BX
	ANDQ    (R15), SI
	ADDQ    BX, R15
	MOVQ    SI, BX
	SHRQ    $1, SI
	ANDL    $1, BX
	NEGQ    BX
	XORQ    BX, SI              // the distance
	MOVL    rec_mark(AX), DX
	CMPB    origin_base(DI), $const_baseLast
	JNE     told
	SHRL    $1, DX
	JEQ     told
	MOVQ    -8(R10)(DX*8), BP
	ADDQ    SI, BP              // the address
	MOVQ    x+0(FP), BX
	CMPB    residing_noting(BX), $0
	JNE     note

kept:
	MOVQ    rec_delta(AX), BX
	TESTB   $1, rec_mark(AX)
	CMOVQEQ rec_step(AX), BX
	MOVQ    rec_stride(AX), DX
	CMPQ    SI, BX
	CMOVQEQ SI, DX
	MOVQ    DX, rec_stride(AX)
	MOVQ    SI, rec_delta(AX)
	MOVL    rec_way(AX), DI
	CMPL    DI, $const_wayBefore
	JHI     keptRare
	DECQ    DI                  // all ones by wayStride
	ANDQ    DI, DX
	MOVQ    DX, rec_step(AX)
	ADDQ    BP, DX
	NOTQ    DI
	ANDQ    R13, DI
	SUBQ    DI, DX

keptNext:
	MOVQ DX, rec_next(AX)
	MOVQ BP, (R10)(R12*4)
	MOVQ BP, R13
	ADDQ $2, R12
	LEAL 1(R12), BX
	MOVL BX, rec_mark(AX)
	CMPQ R12, R14
	JNE  row
	JMP  last

note:
	MOVQ SI, distance-24(SP)
	GUESS
	MOVQ BP, (BX)(SI*8)
	MOVQ distance-24(SP), SI
	JMP  kept

keptRare:
	MOVQ BP, DX
	CMPL DI, $const_wayDouble
	JEQ  keptDouble
	JHI  keptGuess
	CMPQ R12, $4
	JCS  keptNext
	SUBQ -16(R10)(R12*4), DX
	JMP  keptNext

keptDouble:
	SUBQ R13, DX
	SUBQ R13, DX
	JMP  keptNext

keptGuess: // is noted even if others are not
	GUESS
	MOVQ BP, (BX)(SI*8)
	JMP  keptNext

told:
	MOVQ SI, distance-24(SP)
	MOVQ DI, origin-32(SP)
	MOVQ x+0(FP), DX
	XORL BX, BX                 // where to put it down
	CMPL rec_way(AX), $const_wayGuess
	JEQ  noted
	CMPB residing_noting(DX), BX
	JEQ  linear

noted:
	GUESS
	LEAQ (BX)(SI*8), BX

linear:
	MOVQ    origin-32(SP), DI
	MOVBLZX origin_base(DI), DI
	MOVL    rec_mark(AX), SI
	XORL    DX, DX              // last
	MOVQ    R13, BP             // how far the row before has gone
	SHRL    $1, SI
	JEQ     gone
	MOVQ    -8(R10)(SI*8), DX
	CMPL    SI, $2
	JCS     gone
	SUBQ    -16(R10)(SI*8), BP

gone:
	CMPL    DI, $const_waySecond
	JEQ     second
	CMPL    DI, $const_wayDouble
	JEQ     twice
	CMPL    DI, $const_wayStride
	CMOVQEQ rec_stride(AX), BP
	XORL    SI, SI
	CMPL    DI, $const_baseLast
	CMOVQEQ SI, BP
	MOVQ    R13, SI
	SUBQ    DX, SI
	CMPL    DI, $const_baseBefore
	CMOVQEQ SI, BP
	CMPL    DI, $const_wayGuess
	JEQ     guess

far:
	ADDQ  distance-24(SP), BP
	LEAQ  (BP)(DX*1), SI
	TESTQ BX, BX
	JEQ   found
	MOVQ  SI, (BX)

found:
	MOVQ    rec_delta(AX), BX
	MOVQ    origin-32(SP), DI
	MOVBLZX origin_way(DI), DI
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
	CMPQ    BP, BX
	CMOVQEQ BP, DX
	MOVQ    DX, rec_stride(AX)
	MOVQ    BP, rec_delta(AX)
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
	CMPQ R12, R14
	JNE  row
	JMP  last

second:
	XORL BP, BP
	CMPQ R12, $4
	JCS  earlier
	MOVQ -16(R10)(R12*4), BP

earlier:
	CMPL SI, $3
	JCS  far
	SUBQ -24(R10)(SI*8), BP
	JMP  far

twice:
	ADDQ BP, BP
	JMP  far

guess: // nothing is guessed where nothing is noted
	TESTQ BX, BX
	JEQ   far
	MOVQ  (BX), BP
	SUBQ  DX, BP
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
