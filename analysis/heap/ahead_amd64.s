// Where the next events look is found, and fetched, ahead of them. Go has no way to fetch memory without waiting for it:
// with plain loads in place of the fetches, a log of heaptrack's of 6.5 million events (perl, of
// testdata/peers/heaptrackload.sh) took 0.57 s of processor time in a run where fetching took 0.49 s, and a third of what
// heaptrack itself takes was 0.50 s. The twin is findKnownAny.

#include "go_asm.h"
#include "textflag.h"

// func findKnown(l *live, events []traceio.Alloc, spots []spot) (found int)
//
//	SI event   R8 how many are left   R9 spot   R10 near   R11 places   R12 pages   R13 ids   CX shift   BX shared
//	AX key, then granule   DX chunk, then page   R14 ids of the page, then id
TEXT ·findKnown(SB), NOSPLIT, $0-64
	MOVQ l+0(FP), DI
	MOVQ events_base+8(FP), SI
	MOVQ events_len+16(FP), R8
	MOVQ spots_base+32(FP), R9
	LEAQ live_near(DI), R10
	MOVQ live_places(DI), R11
	MOVQ live_pages(DI), R12
	MOVQ live_ids(DI), R13
	MOVQ live_shift(DI), CX
	MOVQ live_shared(DI), BX
	TESTQ R8, R8
	JEQ  done

next:
	MOVQ const_allocAddr(SI), AX
	SHRQ CX, AX
	MOVQ AX, DX
	SHRQ $(const_pageBits+const_chunkBits), DX
	MOVQ DX, R14
	ANDL $(const_nearChunks-1), R14
	SHLQ $4, R14
	INCQ DX
	CMPQ DX, nearChunk_chunk(R10)(R14*1)
	JNE  done
	MOVQ nearChunk_at(R10)(R14*1), DX
	MOVQ AX, R14
	SHRQ $const_pageBits, R14
	ANDL $(const_chunkSize-1), R14
	ORQ  DX, R14
	MOVQ (R11)(R14*8), DX
	MOVQ DX, R14
	SHRQ $32, R14
	JEQ  done
	DECL DX
	DECL R14
	SHLQ $const_pageBits, R14
	ANDL $(const_pageSize-1), AX
	ORQ  AX, R14
	TESTQ BX, BX
	JEQ  own
	SHRQ $1, R14

own:
	MOVL DX, spot_page(R9)
	MOVL R14, spot_id(R9)
	SHLQ $4, DX
	PREFETCHT0 (R12)(DX*1)
	PREFETCHT0 (R13)(R14*4)
	ADDQ $const_allocBytes, SI
	ADDQ $spot__size, R9
	DECQ R8
	JNE  next

done:
	MOVQ events_len+16(FP), AX
	SUBQ R8, AX
	MOVQ AX, found+56(FP)
	RET

// func fetchBlocks(l *live, spots []spot, blocks unsafe.Pointer)
TEXT ·fetchBlocks(SB), NOSPLIT, $0-40
	MOVQ l+0(FP), DI
	MOVQ spots_base+8(FP), SI
	MOVQ spots_len+16(FP), CX
	MOVQ blocks+32(FP), BX
	MOVQ live_ids(DI), R13
	TESTQ CX, CX
	JEQ  over

block:
	MOVLQSX spot_id(SI), AX
	ADDQ $spot__size, SI
	TESTQ AX, AX
	JLT  none
	MOVL (R13)(AX*4), AX
	SHRL $1, AX
	JEQ  none
	PREFETCHT0 -8(BX)(AX*8)

none:
	DECQ CX
	JNE  block

over:
	RET
