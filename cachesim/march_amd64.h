// What the loops over rows and over questions have in common.
//
//	AX line or question  BX cell, from the first one, in bytes  DX kind of row  SI row or question  DI next question
//	R9 set  R12 hint, then victim  BP clock  R11 cells  R13 march  CX, R8, R10 scratch
//
// AT is where a field of the gate is. Rows have a gate for each kind, and lines are numbers; the gate of questions counts in
// fours, as the lines in questions stand above two bits. What go_asm.h cannot tell of sizes stands in march_amd64.go.

#define ASKED 2

// SET is the set of AX: its first cell in BX, its number in R9.
#define SET \
	MOVQ  AT(gate_sets), R9; \
	ANDQ  AX, R9; \
	MOVQ  R9, BX; \
	IMULQ AT(gate_setBytes), BX; \
	ADDQ  AT(gate_cells), BX

// HANDBACK makes the question of the victim R12 to a level of larger blocks, in R8; CX is by how much they are larger.
#define HANDBACK \
	SHRXQ CX, R12, R8; \
	ANDQ  $-4, R8; \
	ORQ   AT(gate_backs), R8

// ENTERS stamps the cell BX; late is by how much the clock is, and a mark.
#define ENTERS(late) \
	LEAQ late(BP)(SI*8), CX; \
	MOVQ CX, 8(R11)(BX*1)

// VICTIM has the oldest cell of the set BX in BX, stamped anew; wide is how large the numbers of sets in R9 make a word. What is seldom is
// in VICTIMS, which goes on at entering then, or at order when Go has to look.
#define VICTIM(wide, late) \
	MOVQ  AT(gate_rings), R10; \
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
	CMPQ AT(gate_shape), $8; \
	JEQ  eight; \
	CALL ringOf4<>(SB); \
	JMP  ring; \
eight: \
	CALL ringOf8<>(SB); \
	JMP  ring; \
other: \
	CMPQ AT(gate_shape), $2; \
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
	ADDQ AT(gate_orders), R10; \
	LEAQ (R9)(R9*2), R9; \
	MOVQ AT(gate_swept), R8; \
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
	MOVQ AT(gate_notes), place; \
	MOVQ (place), at; \
	MOVQ note, (at); \
	ADDQ $8, at; \
	MOVQ at, (place)

// NOTEABSENT makes the last note tell that there was no victim.
#define NOTEABSENT \
	MOVQ AT(gate_notes), R8; \
	MOVQ (R8), R8; \
	MOVQ $-3, -8(R8)

// SEARCH looks in the set BX for the word R10, its state bits set. Where it is, its cell is in BX at there.
#define SEARCH(there) \
	MOVQ AT(gate_allBytes), R8; \
	ADDQ BX, R8; \
try: \
	MOVQ (R11)(BX*1), CX; \
	ORQ  $1, CX; \
	CMPQ CX, R10; \
	JEQ  there; \
	ADDQ $16, BX; \
	CMPQ BX, R8; \
	JCS  try; \
	SUBQ AT(gate_allBytes), BX
