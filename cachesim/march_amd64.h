// What the loops over rows and over questions have in common. Field offsets are those of march and gate in march.go.
//
//	AX line  BX set, then cell  DX gate  SI row  DI next question  BP clock  R11 cells  R13 march  R14, R15 the loop's own

#define march_addrs(m) 0(m)
#define march_sizes(m) 8(m)
#define march_kinds(m) 16(m)
#define march_row(m)   24(m)
#define march_rows(m)  32(m)
#define march_cells(m) 40(m)
#define march_bits(m)  48(m)
#define march_clock(m) 56(m)
#define march_out(m)   64(m)
#define march_marks(m) 72(m)
#define march_misses(m) 80(m)
#define march_last(m)   112(m)
#define march_rings4(m) 120(m)
#define march_gates    128

#define gate_hintMask(g)   0(g)
#define gate_hints(g)      8(g)
#define gate_dirty(g)      16(g)
#define gate_sets(g)       24(g)
#define gate_cells(g)      32(g)
#define gate_setBytes(g)   40(g)
#define gate_shape(g)      48(g)
#define gate_known(g)      56(g)
#define gate_shift(g)      64(g)
#define gate_backs(g)      72(g)
#define gate_fetching(g)   80(g)
#define gate_misses(g)     88(g)
#define gate_whole(g)      96(g)
#define gate_absent(g)     104(g)
#define gate_more(g)       112(g)
#define gate_notes(g)      120(g)
#define gate_orders(g)     128(g)
#define gate_swept(g)      136(g)
#define gate_rings(g)      144(g)
#define gate_mark(g)       152(g)
#define gate_further(g)    160(g)

#define ASKED 2

// SET is the set of line AX, in BX; its number is in R9.
#define SET \
	MOVQ  gate_sets(DX), R9; \
	ANDQ  AX, R9; \
	MOVQ  gate_setBytes(DX), BX; \
	IMULQ R9, BX; \
	ADDQ  gate_cells(DX), BX

// HANDBACK asks the next level to take the victim R12, if it is to be written back; CX is the gate's shift.
#define HANDBACK \
	SHRXQ CX, R12, R8; \
	ANDQ  $-4, R8; \
	ORQ   gate_backs(DX), R8; \
	MOVQ  R8, (DI); \
	ANDL  $1, R12; \
	LEAQ  (DI)(R12*8), DI

// VICTIM has the oldest cell of the set BX in BX. R9 is as SET left it. What is seldom is in VICTIMS, which goes on at entering then,
// or at order when Go has to look.
#define VICTIM \
	MOVQ  gate_rings(DX), R10; \
	TESTQ R10, R10; \
	JEQ   other; \
	LEAQ  (R10)(R9*8), R10; \
	MOVQ  (R10), R8; \
ring: \
	MOVQ  R8, R9; \
	ANDL  $7, R9; \
	RORQ  $8, R8; \
	SHLQ  $4, R9; \
	TESTB $1, 8(BX)(R9*1); \
	JEQ   unmarked; \
	MOVQ  R8, (R10); \
	ADDQ  R9, BX

#define VICTIMS(entering, order) \
unmarked: \
	CALL ringOf<>(SB); \
	JMP  ring; \
other: \
	CMPQ gate_shape(DX), $2; \
	JNE  rare; \
	MOVQ 24(BX), R8; \
	CMPQ R8, 8(BX); \
	SBBQ R8, R8; \
	ANDL $16, R8; \
	ADDQ R8, BX; \
	JMP  entering; \
rare: \
	JCS  entering; \
	MOVQ gate_shape(DX), R12; \
	MOVQ gate_orders(DX), R8; \
	MOVQ BX, R10; \
	SUBQ gate_cells(DX), R10; \
	SHRQ $3, R10; \
	ADDQ R8, R10; \
	LEAQ (R9)(R9*2), R9; \
	MOVQ gate_swept(DX), R8; \
	LEAQ (R8)(R9*8), R9; \
	LEAQ (R10)(R12*2), R10; \
	MOVL 8(R9), R12; \
	NEGQ R12; \
pass: \
	TESTQ R12, R12; \
	JEQ  order; \
	MOVWLZX (R10)(R12*2), R8; \
	INCQ R12; \
	SHLQ $4, R8; \
	DECL 8(R9); \
	MOVQ 8(BX)(R8*1), R8; \
	CMPQ R8, 0(R9); \
	JHI  pass; \
	MOVWLZX -2(R10)(R12*2), R8; \
	INCL 12(R9); \
	SHLQ $4, R8; \
	ADDQ R8, BX; \
	MOVQ gate_hintMask(DX), R12; \
	ANDQ AX, R12; \
	JMP  entering

// HINT lets the hint R12 tell of the cell BX, HINTAT the hint at CX.
#define HINT \
	MOVQ BX, R8; \
	SUBQ R11, R8; \
	SHRQ $3, R8; \
	MOVQ gate_hints(DX), R10; \
	MOVL R8, (R10)(R12*4)

#define HINTAT \
	MOVQ BX, R8; \
	SUBQ R11, R8; \
	SHRQ $3, R8; \
	MOVL R8, (CX)

// NOTE writes a note and goes past it.
#define NOTE(note, place, at) \
	MOVQ gate_notes(DX), place; \
	MOVQ (place), at; \
	MOVQ note, (at); \
	ADDQ $8, at; \
	MOVQ at, (place)

// NOTEVICTIM notes the word of the victim R12, or that there was none.
#define NOTEVICTIM \
	MOVQ  R12, CX; \
	TESTQ R12, R12; \
	JNE   full; \
	MOVQ  $-3, CX; \
full: \
	NOTE(CX, R8, R9)

// SEARCH looks for line AX in the set BX. Where it is, its cell is in BX at there. A word is for its use.
#define SEARCH(there, word) \
	LEAQ 3(AX*4), R10; \
	MOVQ gate_setBytes(DX), R8; \
	ADDQ BX, R8; \
try: \
	MOVQ (BX), word; \
	ORQ  $1, word; \
	CMPQ word, R10; \
	JEQ  there; \
	ADDQ $16, BX; \
	CMPQ BX, R8; \
	JCS  try; \
	SUBQ gate_setBytes(DX), BX

// GATE is the gate of a row of kind DX, in DX.
#define GATE \
	ANDL $3, DX; \
	SHLL $8, DX; \
	LEAQ march_gates(R13)(DX*1), DX

// LOOK leaves in CX how the word at the hint of line AX differs from its own, in BX how many words are before the cell, and in R12 which
// hint it was.
#define LOOK \
	MOVQ gate_hintMask(DX), R12; \
	ANDQ AX, R12; \
	MOVQ gate_hints(DX), BX; \
	MOVL (BX)(R12*4), BX; \
	LEAQ 2(AX*4), CX; \
	XORQ (R11)(BX*8), CX

// POINTERS brings the columns back.
#define POINTERS \
	MOVQ march_addrs(R13), R8; \
	MOVQ march_sizes(R13), R9; \
	MOVQ march_kinds(R13), R10
