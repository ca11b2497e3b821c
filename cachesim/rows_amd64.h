// One row after the other into the levels where they enter, as front.pass: see march.rows. R15 is the bits of a block, R14 the hints. While
// no row misses, R8 to R10 are the columns, R12 is what is BESIDE them and DX only the kind. LAST is the last block of a row.

#define AT(field) (march_gates+field)(R13)(DX*1)
#define STORE 256
#define LAST last-8(SP)

// BESIDE the columns is the mask of pairs, or that of the marks, with which the mask is not at hand.
#ifdef NOTED
#define BESIDE march_marks(R13)
#define PAIRS march_pairs(R13)
#else
#define BESIDE march_pairs(R13)
#define PAIRS R12
#endif

// COLUMNS brings them back.
#define COLUMNS \
	MOVQ march_addrs(R13), R8; \
	MOVQ march_sizes(R13), R9; \
	MOVQ march_kinds(R13), R10; \
	MOVQ BESIDE, R12

// WHERE is half of how many bytes are before the hint of line AX, in R12.
#define WHERE \
	LEAQ (AX*4), R12; \
	ORQ  AT(gate_fetched), R12; \
	ANDQ march_pairs(R13), R12

// HINT lets the hint R12 tell of the cell BX.
#define HINT MOVL BX, (R14)(R12*2)

// MARK marks the row as asked.
#ifdef NOTED
#define MARK \
	MOVQ march_marks(R13), R8; \
	MOVB $ASKED, (R8)(SI*1)
#else
#define MARK
#endif

// WHOLE goes on at not unless the store covers the block. What lies behind the end of all addresses is 0.
#define WHOLE(not, whole) \
	MOVQ march_sizes(R13), R9; \
	MOVWLZX (R9)(SI*2), R9; \
	SHRXQ R15, R9, R10; \
	TESTQ R10, R10; \
	JEQ   not; \
	MOVQ  march_addrs(R13), R8; \
	MOVQ  (R8)(SI*8), R8; \
	SHLXQ R15, AX, R10; \
	CMPQ  R10, R8; \
	JCS   not; \
	CMPQ  AX, LAST; \
	JNE   whole; \
	ADDQ  R9, R8; \
	TESTQ march_inner(R13), R8; \
	JNE   not; \
whole: \
	SUBQ $8, DI; \
	INCQ AT(gate_whole)

TEXT NAME(SB), NOSPLIT, $8-9
	MOVQ m+0(FP), R13
	COLUMNS
	MOVQ march_row(R13), SI
	MOVQ march_cells(R13), R11
	MOVQ march_bits(R13), R15
	MOVQ march_clock(R13), BP
	MOVQ march_out(R13), DI
	MOVQ march_hints(R13), R14
	CMPQ SI, march_rows(R13)
	JGE  done

	PCALIGN $64
row:
	MOVQ    (R8)(SI*8), AX
	MOVWLZX (R9)(SI*2), CX
	MOVBLZX (R10)(SI*1), DX
	LEAQ    -1(AX)(CX*1), CX
	SHRXQ   R15, AX, AX
	SHRXQ   R15, CX, CX
	CMPQ    AX, CX
	JNE     parts
	LEAQ    (DX)(AX*4), BX
	ANDQ    PAIRS, BX
	MOVL    (R14)(BX*2), BX
	LEAQ    2(AX*4), CX
	XORQ    (R11)(BX*1), CX
	CMPQ    CX, $1
	JHI     one
	LEAQ    (DX)(CX*2), DX    // 1 is a store, of 0 and not dirty
	CMPQ    DX, $1
	JEQ     dirty

clean:
#ifdef NOTED
	MOVB CX, (R12)(SI*1)
#endif
	LEAQ (BP)(SI*8), CX
	MOVQ CX, 8(R11)(BX*1)
	INCQ SI
	CMPQ SI, march_rows(R13)
	JLT  row

done:
	MOVB $0, more+8(FP)

leave:
	MOVQ SI, march_row(R13)
	MOVQ BP, march_clock(R13)
	MOVQ DI, march_out(R13)
	RET

bail:
	MOVB $1, more+8(FP)
	JMP  leave

dirty:
	ORQ $1, (R11)(BX*1)
	JMP clean

one:                          // block, which is not where its hint tells
	LEAQ (DX)(AX*4), R12
	ANDQ march_pairs(R13), R12
	ANDL $3, DX
	SHLL $8, DX
	MOVQ AX, LAST

missed:
	TESTQ CX, AT(gate_known)
	JEQ  shared

absent:
	SET

searched:
	VICTIM(8, 0)

enter:
	HINT
	MOVQ (R11)(BX*1), R12     // the victim
	LEAQ 2(AX*4), CX
	ORQ  AT(gate_dirty), CX
	MOVQ CX, (R11)(BX*1)
	INCQ AT(gate_misses)
	MARK
#ifdef NOTED
	NOTE(R12, R8, R10)
#endif
	MOVQ  AT(gate_shift), CX
	LEAQ  (AX*4), R8
	TESTQ CX, CX
	JNE   larger
	ORQ   AT(gate_fetching), R8
	MOVQ  R8, (DI)
	ADDQ  $8, DI
	TESTL $STORE, DX
	JNE   store

victim:                       // below blocks of the same size, a dirty one's word is the question
	TESTQ R12, R12
	JEQ   vacant
	MOVQ  R12, (DI)
	ANDL  $1, R12
	LEAQ  (DI)(R12*8), DI

next:
	CMPQ AX, LAST
	JNE  further

last:
	COLUMNS
	INCQ SI
	CMPQ SI, march_rows(R13)
	JLT  row
	JMP  done

further:
	INCQ AX
	ADDQ $8, BP

part:
	WHERE
	MOVL (R14)(R12*2), BX
	LEAQ 2(AX*4), CX
	XORQ (R11)(BX*1), CX
	CMPQ CX, $1
	JHI  missed

there:                        // the block is in the cell BX
	CMPQ CX, AT(gate_dirty)
	JCS  stain

stained:
	LEAQ (BP)(SI*8), R8
	MOVQ R8, 8(R11)(BX*1)
#ifdef NOTED
	ORQ AT(gate_dirty), CX
	NOTE(CX, R8, R9)
#endif
	CMPQ AX, LAST
	JNE  further
	JMP  last

stain:
	ORQ $1, (R11)(BX*1)
	JMP stained

parts:                        // a few blocks, in sets whose oldest is found here
	ANDL $3, DX
	SHLL $8, DX
	MOVQ CX, BX
	SUBQ AX, BX
	CMPQ BX, AT(gate_further)
	JHI  bail
	MOVQ CX, LAST
	ADDQ BX, AT(gate_more)
	MARK
	JMP  part

vacant:
#ifdef NOTED
	NOTEABSENT
#endif
	INCQ AT(gate_absent)
	JMP  next

store:                        // of the whole block asks nobody for it
	WHOLE(victim, covered)
	JMP  victim

larger:                       // blocks below
	SHRXQ CX, AX, R8
	SHLQ  $2, R8
	ORQ   AT(gate_fetching), R8
	MOVQ  R8, (DI)
	ADDQ  $8, DI
	TESTL $STORE, DX
	JEQ   outgrown
	WHOLE(outgrown, filled)

outgrown:
	TESTQ R12, R12
	JEQ   vacant
	MOVQ  AT(gate_shift), CX
	HANDBACK
	MOVQ  R8, (DI)
	ANDL  $1, R12
	LEAQ  (DI)(R12*8), DI
	JMP   next

shared:                       // another block has the hint: the set has to be searched
	CMPQ AT(gate_shape), $0
	JEQ  bail
	SET
	LEAQ 3(AX*4), R10
	SEARCH(known)
	JMP  searched

known:
	HINT
	MARK
	MOVQ (R11)(BX*1), CX
	ANDL $1, CX
	JMP  there

	VICTIMS(8, 0, enter, bail)

#undef AT
#undef LAST
#undef STORE
#undef COLUMNS
#undef BESIDE
#undef PAIRS
#undef WHERE
#undef MARK
#undef HINT
#undef WHOLE
