#include "go_asm.h"
#include "textflag.h"

DATA hashing<>+0(SB)/8, $0x9e3779b97f4a7c15 // as in guess
DATA hashing<>+8(SB)/8, $0xd6e8feb86659fd93
GLOBL hashing<>(SB), RODATA|NOPTR, $16

// What is added to next by each way: TIMES the address of the row before; that of the row before that, where SECOND is all ones; and
// at a miss the stride, where STRIDE is.
#define TIMES 0
#define SECOND (8*const_ways)
#define STRIDE (16*const_ways)

DATA adding<>+(TIMES+8*const_wayBefore)(SB)/8, $1
DATA adding<>+(TIMES+8*const_wayDouble)(SB)/8, $2
DATA adding<>+(SECOND+8*const_waySecond)(SB)/8, $-1
DATA adding<>+(STRIDE+8*const_wayStride)(SB)/8, $-1
GLOBL adding<>(SB), RODATA|NOPTR, $(24*const_ways)

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
// As residentAny does it, for rows behind the first two. Only what a miss is, and which site goes by the guess table, is worth a branch;
// and a miss that its site's last address tells, as most are, is done with apart.
//
//	R8 recs   R9 refs, before the first by the rows of addrs   R10 addrs   R11 control   R12 twice the row   R13 address of the row before
//	R14 twice the row that was not predicted, or the end   R15 residue   BP adding   AX the row's rec   CX stops   BX, DX, SI, DI anything
TEXT ·residentRows(SB), NOSPLIT, $24-8
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
	MOVQ residing_stops(DX), CX
	LEAQ adding<>(SB), BP
	MOVL (CX), R14
	ADDQ R14, R14
	CMPQ R12, R14
	JEQ  stop

	PCALIGN $32
row:
	MOVL  (R9)(R12*2), AX
	LEAQ  (AX)(AX*4), AX
	LEAQ  (R8)(AX*8), AX        // rec__size
	MOVL  rec_way(AX), DI
	MOVQ  rec_next(AX), DX
	CMPL  DI, $const_wayGuess
	JEQ   guessed
	MOVQ  -16(R10)(R12*4), BX
	MOVQ  TIMES(BP)(DI*8), SI
	ANDQ  SECOND(BP)(DI*8), BX
	IMULQ R13, SI
	ADDQ  DX, BX
	ADDQ  BX, SI

hit:
	ADDQ rec_step(AX), DX
	MOVQ DX, rec_next(AX)
	MOVQ SI, (R10)(R12*4)
	MOVQ SI, R13
	ADDQ $2, R12
	MOVL R12, rec_mark(AX)
	CMPQ R12, R14
	JNE  row

stop:
	CMPQ R12, end-8(SP)
	JNE  miss

done:
	MOVQ x+0(FP), DX
	MOVQ R13, residing_before(DX)
	MOVQ R15, BX
	SUBQ residing_residue(DX), BX
	MOVQ R15, residing_residue(DX)
	SUBQ BX, (residing_residue+8)(DX)
	SUBQ BX, (residing_residue+16)(DX)
	RET

guessed:
	GUESS
	MOVQ  (BX)(SI*8), SI        // and stays there
	JMP   hit

	PCALIGN $32
miss:
	MOVL    (R9)(R12*2), AX
	LEAQ    (AX)(AX*4), AX
	LEAQ    (R8)(AX*8), AX
	ADDQ    $4, CX
	MOVL    (CX), R14
	ADDQ    R14, R14
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
	MOVQ    -8(R10)(DX*8), DI
	ADDQ    SI, DI              // the address
	MOVQ    x+0(FP), BX
	CMPB    residing_noting(BX), $0
	JNE     note
	CMPL    rec_way(AX), $const_wayGuess
	JEQ     note                // even if others are not

kept: // its address in DI, how far that is from the last in SI
	MOVQ    rec_delta(AX), BX
	TESTB   $1, rec_mark(AX)
	CMOVQEQ rec_step(AX), BX
	MOVQ    rec_stride(AX), DX
	CMPQ    SI, BX
	CMOVQEQ SI, DX
	MOVQ    DX, rec_stride(AX)
	MOVQ    SI, rec_delta(AX)
	MOVL    rec_way(AX), SI
	ANDQ    STRIDE(BP)(SI*8), DX
	MOVQ    DX, rec_step(AX)
	ADDQ    DI, DX
	MOVQ    -16(R10)(R12*4), BX
	ANDQ    SECOND(BP)(SI*8), BX
	IMULQ   TIMES(BP)(SI*8), R13
	SUBQ    BX, DX
	SUBQ    R13, DX
	MOVQ    DX, rec_next(AX)
	MOVQ    DI, (R10)(R12*4)
	MOVQ    DI, R13
	ADDQ    $2, R12
	LEAL    1(R12), BX
	MOVL    BX, rec_mark(AX)
	CMPQ    R12, R14
	JNE     row
	JMP     stop

note:
	MOVQ SI, distance-16(SP)
	GUESS
	MOVQ DI, (BX)(SI*8)
	MOVQ distance-16(SP), SI
	JMP  kept

told:
	MOVQ SI, distance-16(SP)
	MOVQ DI, origin-24(SP)
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
	MOVQ    origin-24(SP), DI
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
	MOVQ  distance-16(SP), SI
	ADDQ  BP, SI
	LEAQ  (SI)(DX*1), DI
	TESTQ BX, BX
	JEQ   found
	MOVQ  DI, (BX)

found: // by which way the site goes on if it is open
	MOVQ    origin-24(SP), BX
	MOVBLZX origin_way(BX), BX
	CMPL    BX, $const_wayKept
	CMOVLEQ rec_way(AX), BX
	XORL    DX, DX
	CMPQ    rec_delta(AX), $0
	SETEQ   DX
	ORL     rec_mark(AX), DX
	TESTB   $1, DX
	CMOVLEQ rec_way(AX), BX
	MOVL    BX, rec_way(AX)
	LEAQ    adding<>(SB), BP
	JMP     kept

second:
	MOVQ -16(R10)(R12*4), BP
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
