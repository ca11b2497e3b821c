// One question after the other to a level, as passQuiet: see march.questions. R14 is the question, R15 the hints.

TEXT NAME(SB), NOSPLIT, $8-9
	MOVQ m+0(FP), R13
	LEAQ march_gates(R13), DX
	MOVQ march_row(R13), SI
	MOVQ march_cells(R13), R11
	MOVQ march_clock(R13), BP
	MOVQ march_out(R13), DI
	MOVQ gate_hints(DX), R15
	CMPQ SI, march_rows(R13)
	JGE  done

question:
	MOVQ march_addrs(R13), R8
	MOVQ (R8)(SI*8), R14
	MOVQ R14, AX
	SHRQ $2, AX
	MOVQ gate_hintMask(DX), CX
	ANDQ AX, CX
	LEAQ (R15)(CX*4), CX
	MOVL (CX), BX
	LEAQ 2(AX*4), R9
	XORQ (R11)(BX*8), R9
	CMPQ R9, $1
	JHI  missed
	MOVQ R14, R8
	ANDL $1, R8
	LEAQ (R11)(BX*8), BX
	CMPQ R9, R8
	JCS  dirty

clean:
	LEAQ 8(BP)(SI*8), R10
	MOVQ R10, 8(BX)
#ifdef NOTED
	ORQ  R9, R8
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
	ORQ $1, (BX)
	JMP clean

missed:
	SHRQ $2, R9
	TESTQ gate_known(DX), R9
	JEQ  shared

absent:
	SET

searched:
	VICTIM

enter:
	MOVQ (BX), R12            // the victim
	MOVQ R14, R8
	ORQ  $2, R8               // a question with the valid bit is the block's word
	MOVQ R8, (BX)
	LEAQ 8(BP)(SI*8), R8
	ORQ  gate_mark(DX), R8
	MOVQ R8, 8(BX)
	HINTAT
#ifdef NOTED
	NOTEVICTIM
#endif
	MOVQ  R14, R9
	ANDL  $3, R9
	INCQ  march_misses(R13)(R9*8)
	CMPQ  march_last(R13), $0
	JNE   last
	MOVQ  gate_shift(DX), CX
	SHRXQ CX, AX, R8
	SHLQ  $2, R8
	MOVQ  R14, R10
	ANDL  $2, R10
	ORQ   R10, R8
	MOVQ  R8, (DI)
	XORL  R10, R10
	CMPQ  R9, $3              // a store of the whole block asks nobody for it
	SETNE R10
	LEAQ  (DI)(R10*8), DI
	TESTQ R12, R12
	JEQ   vacant
	HANDBACK
	JMP   next

vacant:
	INCQ gate_absent(DX)
	JMP  next

last:                         // memory answers; who is written back there only counts
	TESTQ R12, R12
	JEQ   vacant
	ANDL  $1, R12
	ADDQ  R12, DI
	INCQ  SI
	CMPQ  SI, march_rows(R13)
	JLT   question
	JMP   done

shared:                       // another block has the hint: the set has to be searched
	CMPQ gate_shape(DX), $0
	JEQ  bail
	SET
	SEARCH(known, R12)
	JMP  searched

known:
	HINTAT
	MOVQ R14, R8
	ANDL $1, R8
	MOVQ (BX), R9
	ANDL $1, R9
	CMPQ R9, R8
	JCS  dirty
	JMP  clean

	VICTIMS(enter, bail)
