// One row after the other into the levels where they enter, as front.pass: see march.rows. R15 is the bits of a block, R14 the
// marks. On the stack is the last block of a row that lies in several, or 0.

TEXT NAME(SB), NOSPLIT, $8-9
	MOVQ m+0(FP), R13
	POINTERS
	MOVQ march_row(R13), SI
	MOVQ march_cells(R13), R11
	MOVQ march_bits(R13), R15
	MOVQ march_clock(R13), BP
	MOVQ march_out(R13), DI
	MOVQ march_marks(R13), R14
	MOVQ $0, last-8(SP)
	CMPQ SI, march_rows(R13)
	JGE  done

row:
	MOVQ    (R8)(SI*8), AX
	MOVWLZX (R9)(SI*2), CX
	MOVBLZX (R10)(SI*1), DX
	LEAQ    -1(AX)(CX*1), CX
	SHRXQ   R15, AX, AX
	SHRXQ   R15, CX, CX
	GATE
	CMPQ    AX, CX
	JNE     parts
	LOOK
	CMPQ    CX, $1
	JHI     missed
	CMPQ    CX, gate_dirty(DX)
	JCS     dirty

clean:
#ifdef NOTED
	MOVB CX, (R14)(SI*1)
#endif
	LEAQ (BP)(SI*8), CX
	MOVQ CX, 8(R11)(BX*8)
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
	ORQ $1, (R11)(BX*8)
	JMP clean

parts:                        // a few blocks, in sets whose oldest is found here
	MOVQ CX, BX
	SUBQ AX, BX
	CMPQ BX, gate_further(DX)
	JHI  bail
	MOVQ CX, last-8(SP)
	ADDQ BX, gate_more(DX)
#ifdef NOTED
	MOVB $ASKED, (R14)(SI*1)
#endif

part:
	LOOK
	CMPQ CX, $1
	JHI  missed
	LEAQ (R11)(BX*8), BX

there:                        // the block is in the cell BX
	MOVQ (BX), CX
	ORQ  gate_dirty(DX), CX
	MOVQ CX, (BX)
	LEAQ (BP)(SI*8), R8
	MOVQ R8, 8(BX)
#ifdef NOTED
	ANDL $1, CX
	NOTE(CX, R8, R9)
#endif

next:
	MOVQ  last-8(SP), CX
	TESTQ CX, CX
	JNE   further

whole:
	POINTERS
	INCQ  SI
	CMPQ  SI, march_rows(R13)
	JLT   row
	JMP   done

further:
	INCQ AX
	ADDQ $8, BP
	CMPQ AX, CX
	JLS  part
	SUBQ $8, BP
	MOVQ $0, last-8(SP)
	JMP  whole

missed:
	SHRQ $2, CX
	TESTQ gate_known(DX), CX
	JEQ  shared

absent:
	SET

searched:
	VICTIM

enter:
	HINT
	MOVQ (BX), R12            // the victim
	LEAQ 2(AX*4), CX
	ORQ  gate_dirty(DX), CX
	MOVQ CX, (BX)
	LEAQ (BP)(SI*8), CX
	ORQ  gate_mark(DX), CX
	MOVQ CX, 8(BX)
	INCQ gate_misses(DX)
#ifdef NOTED
	MOVB $ASKED, (R14)(SI*1)
	NOTEVICTIM
#endif
	MOVQ  gate_shift(DX), CX
	SHRXQ CX, AX, R8
	SHLQ  $2, R8
	ORQ   gate_fetching(DX), R8
	MOVQ  R8, (DI)
	CMPQ  gate_dirty(DX), $0
	JNE   store

asked:
	ADDQ  $8, DI

victim:
	TESTQ R12, R12
	JEQ   vacant
	HANDBACK
	JMP   next

vacant:
	INCQ gate_absent(DX)
	JMP  next

store:                        // of the whole block asks nobody for it
	MOVQ  march_sizes(R13), R9
	MOVWLZX (R9)(SI*2), R9
	SHRXQ R15, R9, R10
	TESTQ R10, R10
	JEQ   asked
	MOVQ  march_addrs(R13), R8
	MOVQ  (R8)(SI*8), R8
	SHLXQ R15, AX, R10        // its first byte
	CMPQ  R10, R8
	JCS   asked
	ADDQ  R9, R8
	MOVL  $1, R9
	SHLXQ R15, R9, R9
	ADDQ  R9, R10
	SUBQ  $1, R8
	SUBQ  $1, R10             // the last bytes: what lies behind the end of all addresses is 0
	CMPQ  R8, R10
	JCS   asked
	INCQ  gate_whole(DX)
	JMP   victim

shared:                       // another block has the hint: the set has to be searched
	CMPQ gate_shape(DX), $0
	JEQ  bail
	SET
	SEARCH(known, CX)
	JMP  searched

known:
	HINT
#ifdef NOTED
	MOVB $ASKED, (R14)(SI*1)
#endif
	JMP  there

	VICTIMS(enter, bail)
