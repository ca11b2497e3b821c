#include "go_asm.h"
#include "textflag.h"

// Replay of the sites of references, and the copy of their PCs, sizes and kinds into the block. Every view waits for
// decoded blocks. Its twin is replaySitesGeneric in decode_sites.go; TestSitesLikeGeneric compares the two.
//
// CPU nanoseconds for a reference, BenchmarkDecode, minima of three interleaved runs (2026):
//
//	                containers   lua   merge   quicksort   quicksort, data
//	assembly               3.5   5.0     3.6         4.4               5.9
//	this one in Go         5.6   8.3     6.4         6.7              10.3
//	both in Go            10.2  13.7    12.0         8.2              15.8

DATA numbering<>+0(SB)/8, $0x0000000100000000
DATA numbering<>+8(SB)/8, $0x0000000300000002
DATA numbering<>+16(SB)/8, $0x0000000500000004
DATA numbering<>+24(SB)/8, $0x0000000700000006
DATA numbering<>+32(SB)/8, $0x08090a0b0c0d0e0f // distances of the sites in front of one from it
DATA numbering<>+40(SB)/8, $0x0001020304050607
DATA numbering<>+48(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA numbering<>+56(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA numbering<>+64(SB)/8, $8
GLOBL numbering<>(SB), RODATA|NOPTR, $72

// func replaySitesAVX2(x *siteReplay)
//
// Half a chunk is copied at once, the other half where that is not enough.
//
//	R8 successors   R9 straight runs   R10 site PCs   R11 site   R12 run   R13 mispredictions   R14 references so far
//	R15 PCs   DI site sizes   BP refs
TEXT ·replaySitesAVX2(SB), NOSPLIT, $48-8
	MOVQ x+0(FP), BX
	MOVQ siteReplay_siteKinds(BX), AX
	MOVQ AX, siteKinds-8(SP)
	MOVQ siteReplay_kinds(BX), AX
	MOVQ AX, kinds-16(SP)
	MOVQ siteReplay_sizes(BX), AX
	MOVQ AX, sizes-24(SP)
	MOVQ siteReplay_rows(BX), AX
	MOVQ AX, rows-32(SP)
	MOVQ siteReplay_mispredictions(BX), R13
	MOVQ (siteReplay_mispredictions+8)(BX), AX
	LEAQ (R13)(AX*8), AX
	MOVQ AX, end-40(SP)
	MOVQ siteReplay_next(BX), R8
	MOVQ siteReplay_straight(BX), R9
	MOVQ siteReplay_sitePCs(BX), R10
	MOVL siteReplay_site(BX), R11
	MOVL siteReplay_run(BX), R12
	MOVQ siteReplay_pcs(BX), R15
	MOVQ siteReplay_siteSizes(BX), DI
	MOVQ siteReplay_refs(BX), BP
	XORL R14, R14
	VMOVDQU      numbering<>+0(SB), Y8
	VMOVDQU      numbering<>+32(SB), X10
	VMOVDQU      numbering<>+48(SB), X11
	VPBROADCASTD numbering<>+64(SB), Y9

segment:
	TESTL R12, R12
	JNE   hop
	CMPQ  R13, end-40(SP)
	JEQ   done
	MOVL    (R13), AX
	MOVL    4(R13), R12
	ADDQ    $8, R13
	MOVQ    (R8)(R11*8), BX
	MOVQ    BX, CX
	SHRQ    $32, CX
	TESTL   AX, AX
	CMOVLEQ CX, AX              // the other successor
	SHLQ    $32, BX
	ORQ     AX, BX
	MOVQ    BX, (R8)(R11*8)

	MOVBLZX const_chunk(R9)(R11*1), DX // the run of the next site
	INCL    DX
	LEAL    1(R11), BX
	XORL    SI, SI
	CMPL    AX, BX
	CMOVLNE SI, DX
	VMOVD        DX, X0
	VPBROADCASTB X0, X0
	VPADDB       X10, X0, X0
	VPMINUB      X11, X0, X0    // for the runs that reach it
	VMOVDQU      (R9)(R11*1), X1
	VPMAXUB      X10, X1, X2
	VPCMPEQB     X1, X2, X2     // which do
	VPBLENDVB    X2, X0, X1, X0
	VMOVDQU      X0, (R9)(R11*1)
	MOVL    AX, R11
	JMP     copy

hop:
	MOVL (R8)(R11*8), R11
	DECL R12

copy:
	TESTL   R11, R11
	JEQ     done
	MOVQ    rows-32(SP), BX
	SUBQ    R14, BX
	DECQ    BX
	CMPQ    BX, R12
	CMOVQHI R12, BX
	MOVBLZX (const_chunk-1)(R9)(R11*1), AX // the straight run
	CMPQ    AX, BX
	JHI     fewer

copyRows:
	VMOVD        R11, X0
	VPBROADCASTD X0, Y0
	VPADDD       Y8, Y0, Y0
	VMOVDQU      (R10)(R11*8), Y1
	VMOVDQU      32(R10)(R11*8), Y2
	MOVQ         siteKinds-8(SP), BX
	MOVQ         kinds-16(SP), CX
	MOVQ         sizes-24(SP), DX
	VMOVDQU      (BX)(R11*1), X3
	VMOVDQU      (DI)(R11*2), X4
	VMOVDQU      Y0, (BP)(R14*4)
	VMOVDQU      Y1, (R15)(R14*8)
	VMOVDQU      Y2, 32(R15)(R14*8)
	VMOVDQU      X3, (CX)(R14*1)
	VMOVDQU      X4, (DX)(R14*2)
	CMPQ         AX, $(const_chunk/2)
	JCC          half

next:
	ADDL AX, R11
	SUBL AX, R12
	LEAQ 1(R14)(AX*1), R14
	CMPQ R14, rows-32(SP)
	JNE  segment

done:
	VZEROUPPER
	MOVQ x+0(FP), BX
	MOVQ rows-32(SP), AX
	SUBQ R14, AX
	MOVQ AX, siteReplay_rows(BX)
	MOVL R11, siteReplay_site(BX)
	MOVL R12, siteReplay_run(BX)
	MOVQ end-40(SP), AX
	SUBQ R13, AX
	SHRQ $3, AX
	MOVQ AX, siteReplay_left(BX)
	RET

fewer: // a branch, so that the next chunk need not wait for the minimum
	MOVQ BX, AX
	JMP  copyRows

half:
	VPADDD  Y9, Y0, Y0
	VMOVDQU 64(R10)(R11*8), Y1
	VMOVDQU 96(R10)(R11*8), Y2
	VMOVDQU 16(DI)(R11*2), X4
	VMOVDQU Y0, 32(BP)(R14*4)
	VMOVDQU Y1, 64(R15)(R14*8)
	VMOVDQU Y2, 96(R15)(R14*8)
	VMOVDQU X4, 16(DX)(R14*2)
	JMP     next
