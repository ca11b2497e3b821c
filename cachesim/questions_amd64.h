// One question after the other to a level, as passQuiet: see march.questions. R14 is the questions, R15 the hints, R12 the
// bytes before one. Where memory is next, DI only counts the blocks written back; elsewhere DX is where the first question goes.

#define AT(field) (march_gates+field)(R13)

// WHERE is how many bytes are before the hint of question AX, in R12.
#define WHERE \
	MOVQ AT(gate_hintMask), R12; \
	ANDQ AX, R12

TEXT NAME(SB), NOSPLIT, $8-9
	MOVQ m+0(FP), R13
	MOVQ march_addrs(R13), R14
	MOVQ march_row(R13), SI
	MOVQ march_cells(R13), R11
	MOVQ march_clock(R13), BP
	MOVQ march_out(R13), DX
	MOVQ AT(gate_hints), R15
	XORL DI, DI
	CMPQ SI, march_rows(R13)
	JGE  done

	PCALIGN $64
question:
	MOVQ (R14)(SI*8), AX
	WHERE
	MOVL (R15)(R12*1), BX
	MOVQ AX, CX
	ORQ  $2, CX               // a question with the valid bit is the block's word
	XORQ (R11)(BX*1), CX
	CMPQ CX, $1
	JHI  missed

there:
	TESTQ AX, CX
	JNE   dirty

clean:
	LEAQ 8(BP)(SI*8), R8
	MOVQ R8, 8(R11)(BX*1)
#ifdef NOTED
	MOVQ AX, R8
	ANDL $1, R8
	ORQ  CX, R8
	NOTE(R8, R9, R10)
#endif

next:
	INCQ SI
	CMPQ SI, march_rows(R13)
	JLT  question

done:
	MOVB $0, more+8(FP)

leave:
	MOVQ SI, march_row(R13)
	MOVQ DI, march_out(R13)
	RET

bail:
	MOVB $1, more+8(FP)
	JMP  leave

dirty:
	ORQ $1, (R11)(BX*1)
	JMP clean

missed:
	TESTQ CX, AT(gate_known)
	JEQ  shared

absent:
	SET

searched:
	VICTIM(2, 8)

enter:
	MOVL BX, (R15)(R12*1)
	MOVQ (R11)(BX*1), R12     // the victim
	MOVQ AX, CX
	ORQ  $2, CX
	MOVQ CX, (R11)(BX*1)
#ifdef NOTED
	NOTE(R12, R8, R10)
#endif
	MOVL AX, R9
	ANDL $3, R9
	INCQ march_misses(R13)(R9*8)
#ifndef FINAL
	MOVQ  AT(gate_shift), CX
	TESTQ CX, CX
	JNE   larger
	MOVQ  AX, R8
	ANDQ  $-2, R8
	MOVQ  R8, (DX)(DI*8)
	CMPL  R9, $3              // a store of the whole block asks nobody for it
	ADCQ  $0, DI
#endif
	TESTQ R12, R12
	JEQ   vacant
#ifndef FINAL
	MOVQ  R12, (DX)(DI*8)     // below blocks of the same size, a dirty one's word is the question
#endif
	ANDL  $1, R12
	ADDQ  R12, DI
	INCQ  SI
	CMPQ  SI, march_rows(R13)
	JLT   question
	JMP   done

vacant:
#ifdef NOTED
	NOTEABSENT
#endif
	INCQ AT(gate_absent)
	JMP  next

#ifndef FINAL
larger:                       // blocks below
	MOVQ  AX, R8
	SHRQ  $2, R8
	SHRXQ CX, R8, R8
	SHLQ  $2, R8
	MOVQ  AX, R10
	ANDL  $2, R10
	ORQ   R10, R8
	MOVQ  R8, (DX)(DI*8)
	CMPL  R9, $3
	ADCQ  $0, DI
	TESTQ R12, R12
	JEQ   vacant
	HANDBACK
	MOVQ  R8, (DX)(DI*8)
	ANDL  $1, R12
	ADDQ  R12, DI
	JMP   next
#endif

shared:                       // another block has the hint: the set has to be searched
	CMPQ AT(gate_shape), $0
	JEQ  bail
	SET
	MOVQ AX, R10
	ORQ  $3, R10
	SEARCH(known)
	JMP  searched

known:
	MOVL BX, (R15)(R12*1)
	MOVQ AX, CX
	ORQ  $2, CX
	XORQ (R11)(BX*1), CX
	JMP  there

	VICTIMS(2, 8, enter, bail)

#undef AT
#undef WHERE
