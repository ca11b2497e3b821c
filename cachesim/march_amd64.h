// What the loops over rows and over questions have in common. Field offsets are those of march and gate in march.go.
//
//	AX line or question  BX cell, from the first one, in bytes  DX kind of row  SI row or question  DI next question
//	R9 set  R12 hint, then victim  BP clock  R11 cells  R13 march  CX, R8, R10 scratch
//
// AT is where a field of the gate is. Rows have a gate for each kind, and lines are numbers; the gate of questions counts in
// fours, as the lines in questions stand above two bits.

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
#define march_rings4(m) 112(m)
#define march_inner(m) 120(m)
#define march_hints(m) 128(m)
#define march_pairs(m) 136(m)

#define gate_hintMask AT(144)
#define gate_hints    AT(152)
#define gate_dirty    AT(160)
#define gate_sets     AT(168)
#define gate_cells    AT(176)
#define gate_setBytes AT(184)
#define gate_shape    AT(192)
#define gate_known    AT(200)
#define gate_shift    AT(208)
#define gate_backs    AT(216)
#define gate_fetching AT(224)
#define gate_misses   AT(232)
#define gate_whole    AT(240)
#define gate_absent   AT(248)
#define gate_more     AT(256)
#define gate_notes    AT(264)
#define gate_orders   AT(272)
#define gate_swept    AT(280)
#define gate_rings    AT(288)
#define gate_fetched  AT(296)
#define gate_further  AT(304)
#define gate_allBytes AT(312)

#define ASKED 2

// SET is the set of AX: its first cell in BX, its number in R9.
#define SET \
	MOVQ  gate_sets, R9; \
	ANDQ  AX, R9; \
	MOVQ  R9, BX; \
	IMULQ gate_setBytes, BX; \
	ADDQ  gate_cells, BX

// HANDBACK makes the question of the victim R12 to a level of larger blocks, in R8; CX is by how much they are larger.
#define HANDBACK \
	SHRXQ CX, R12, R8; \
	ANDQ  $-4, R8; \
	ORQ   gate_backs, R8

// ENTERS stamps the cell BX; late is by how much the clock is, and a mark.
#define ENTERS(late) \
	LEAQ late(BP)(SI*8), CX; \
	MOVQ CX, 8(R11)(BX*1)

// VICTIM has the oldest cell of the set BX in BX, stamped anew; wide is how large the numbers of sets in R9 make a word. What is seldom is
// in VICTIMS, which goes on at entering then, or at order when Go has to look.
#define VICTIM(wide, late) \
	MOVQ  gate_rings, R10; \
	TESTQ R10, R10; \
	JEQ   other; \
	MOVQ  (R10)(R9*wide), R8; \
ring: \
	MOVBLZX R8, CX; \
	RORQ  $8, R8; \
	ADDQ  CX, BX; \
	TESTB $1, 8(R11)(BX*1); \
	JEQ   unmarked; \
	MOVQ  R8, (R10)(R9*wide); \
	ENTERS(late+1)

#define VICTIMS(wide, late, entering, order) \
unmarked: \
	SUBQ CX, BX; \
	CMPQ gate_shape, $8; \
	JEQ  eight; \
	CALL ringOf4<>(SB); \
	JMP  ring; \
eight: \
	CALL ringOf8<>(SB); \
	JMP  ring; \
other: \
	CMPQ gate_shape, $2; \
	JNE  rare; \
	MOVQ 24(R11)(BX*1), R8; \
	CMPQ R8, 8(R11)(BX*1); \
	SBBQ R8, R8; \
	ANDL $16, R8; \
	ADDQ R8, BX; \
	ENTERS(late); \
	JMP  entering; \
rare: \
	JCS  found; \
	MOVQ BX, R10; \
	SHRQ $3, R10; \
	ADDQ gate_orders, R10; \
	LEAQ (R9)(R9*2), R9; \
	MOVQ gate_swept, R8; \
	LEAQ (R8)(R9*wide), R9; \
	MOVL 8(R9), CX; \
	NEGQ CX; \
	MOVQ (R9), R12; \
pass: \
	TESTQ CX, CX; \
	JEQ  order; \
	MOVWLZX (R10)(CX*2), R8; \
	INCQ CX; \
	SHLQ $4, R8; \
	DECL 8(R9); \
	ADDQ BX, R8; \
	CMPQ 8(R11)(R8*1), R12; \
	JHI  pass; \
	INCL 12(R9); \
	MOVQ R8, BX; \
	WHERE; \
found: \
	ENTERS(late); \
	JMP  entering

// NOTE writes a note and goes past it.
#define NOTE(note, place, at) \
	MOVQ gate_notes, place; \
	MOVQ (place), at; \
	MOVQ note, (at); \
	ADDQ $8, at; \
	MOVQ at, (place)

// NOTEABSENT makes the last note tell that there was no victim.
#define NOTEABSENT \
	MOVQ gate_notes, R8; \
	MOVQ (R8), R8; \
	MOVQ $-3, -8(R8)

// SEARCH looks in the set BX for the word R10, its state bits set. Where it is, its cell is in BX at there.
#define SEARCH(there) \
	MOVQ gate_allBytes, R8; \
	ADDQ BX, R8; \
try: \
	MOVQ (R11)(BX*1), CX; \
	ORQ  $1, CX; \
	CMPQ CX, R10; \
	JEQ  there; \
	ADDQ $16, BX; \
	CMPQ BX, R8; \
	JCS  try; \
	SUBQ gate_allBytes, BX
