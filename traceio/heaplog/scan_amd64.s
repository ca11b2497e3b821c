// Lines of heaptrack's raw data that are events are read 16 bytes at a time: 3.6 GB/s, where one, the twin in Go
// (heaptrackfast.go), reads 1.1 to 1.5. For testdata/peers/heaptrackload.sh that is 0.05 s of processor time in 0.4 (jq) and
// 0.06 in 0.5 (perl), without which jq's log would take more than a third of what heaptrack itself takes.

#include "go_asm.h"
#include "textflag.h"

DATA letters<>+0x00(SB)/8, $0x3030303030303030 // '0'
DATA letters<>+0x08(SB)/8, $0x3030303030303030
DATA letters<>+0x10(SB)/8, $0x6161616161616161 // 'a'
DATA letters<>+0x18(SB)/8, $0x6161616161616161
DATA letters<>+0x20(SB)/8, $0x0909090909090909
DATA letters<>+0x28(SB)/8, $0x0909090909090909
DATA letters<>+0x30(SB)/8, $0x0505050505050505
DATA letters<>+0x38(SB)/8, $0x0505050505050505
DATA letters<>+0x40(SB)/8, $0x2727272727272727 // 'a' - '0' - 10
DATA letters<>+0x48(SB)/8, $0x2727272727272727
DATA letters<>+0x50(SB)/8, $0x2020202020202020 // ' '
DATA letters<>+0x58(SB)/8, $0x2020202020202020
DATA letters<>+0x60(SB)/8, $0x0110011001100110 // what two digits weigh
DATA letters<>+0x68(SB)/8, $0x0110011001100110
GLOBL letters<>(SB), RODATA|NOPTR, $0x70

// DIGITS makes X1 the values of the digits in X0, and AX a bit for each byte that is one.
#define DIGITS \
	VPSUBB    X8, X0, X1   \
	VPMINUB   X10, X1, X2  \
	VPCMPEQB  X1, X2, X2   \
	VPSUBB    X9, X0, X3   \
	VPMINUB   X11, X3, X4  \
	VPCMPEQB  X3, X4, X4   \
	VPAND     X12, X4, X5  \
	VPSUBB    X5, X1, X1   \
	VPOR      X2, X4, X2   \
	VPMOVMSKB X2, AX

// NUMBER makes reg the sixteen digits in X1, the first one the highest.
#define NUMBER(reg) \
	VPMADDUBSW X14, X1, X1 \
	VPACKUSWB  X1, X1, X1  \
	VMOVQ      X1, reg     \
	BSWAPQ     reg

// func scanLines(s *scan)
//
//	SI line   R8 the last that may be one   R9 event   R10 how many more   R11 nodes   R12 of them   R13 time   BX gathers
//	CX size   DX stack   R14 address   R15 op
TEXT ·scanLines(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), DI
	MOVQ scan_at(DI), SI
	MOVQ scan_last(DI), R8
	MOVQ scan_out(DI), R9
	MOVQ scan_room(DI), R10
	MOVQ scan_nodes(DI), R11
	MOVQ (scan_nodes+8)(DI), R12
	MOVQ scan_ticks(DI), R13
	LEAQ ·gathers(SB), BX
	VMOVDQU letters<>+0x00(SB), X8
	VMOVDQU letters<>+0x10(SB), X9
	VMOVDQU letters<>+0x20(SB), X10
	VMOVDQU letters<>+0x30(SB), X11
	VMOVDQU letters<>+0x40(SB), X12
	VMOVDQU letters<>+0x50(SB), X13
	VMOVDQU letters<>+0x60(SB), X14
	VPXOR   Y7, Y7, Y7

line:
	CMPQ SI, R8
	JHI  done
	TESTQ R10, R10
	JEQ  done
	MOVWLZX (SI), AX
	CMPL AX, $0x202b // "+ "
	JEQ  made
	CMPL AX, $0x202d // "- "
	JNE  done
	XORL CX, CX
	XORL DX, DX
	MOVL $const_opFree, R15
	LEAQ 2(SI), R14
	JMP  address

made:
	VMOVDQU   2(SI), X0
	DIGITS
	VPCMPEQB  X13, X0, X6
	VPMOVMSKB X6, CX
	TZCNTL    CX, DX  // digits of the size
	BLSRL     CX, CX
	TZCNTL    CX, R14 // up to the second blank
	CMPL R14, $15
	JHI  done
	BTSL DX, AX
	NOTL AX
	TZCNTL AX, AX
	CMPL AX, R14
	JCS  done         // what is no digit comes before it
	SHLL $4, DX
	ADDL R14, DX
	SHLL $4, DX
	CMPB (BX)(DX*1), $const_noGather
	JEQ  done
	VPSHUFB (BX)(DX*1), X1, X1
	NUMBER(CX)
	MOVL CX, DX
	SHRQ $32, CX
	CMPQ DX, R12
	JCC  done
	MOVL DX, AX
	SHLQ $const_nodeShift, DX
	MOVL node_stack(R11)(DX*1), DX
	TESTL AX, AX
	JEQ  known        // the trace of none, which has no stack
	TESTL DX, DX
	JEQ  done

known:
	MOVL $const_opMalloc, R15
	LEAQ 3(SI)(R14*1), R14

address:
	CMPB 12(R14), $'\n'
	JNE  done
	VMOVDQU (R14), X0
	DIGITS
	ANDL $0xfff, AX
	CMPL AX, $0xfff
	JNE  done
	NUMBER(AX)
	SHRQ $16, AX
	JEQ  done
	VMOVDQU Y7, (R9)
	VMOVDQU Y7, (const_allocBytes-32)(R9)
	MOVQ R13, const_allocTicks(R9)
	MOVQ AX, const_allocAddr(R9)
	MOVQ CX, const_allocSize(R9)
	MOVL DX, const_allocStack(R9)
	MOVB R15, const_allocOp(R9)
	ADDQ $const_allocBytes, R9
	DECQ R10
	LEAQ 13(R14), SI
	JMP  line

done:
	MOVQ SI, scan_at(DI)
	MOVQ R10, scan_room(DI)
	VZEROUPPER
	RET
