#include "go_asm.h"
#include "textflag.h"

// Decoding of addresses. Every view waits for decoded blocks, and without this file a reference of an interpreter takes
// longer than 10 ns. Its twin is decodeBatchGeneric in decode_addresses.go; TestAddressesLikeGeneric compares the two.
//
// CPU nanoseconds for a reference, BenchmarkDecode, minima of three interleaved runs (2026):
//
//	                containers   lua   merge   quicksort   quicksort, data
//	assembly               3.5   5.0     3.6         4.4               5.9
//	this one in Go         8.1  10.7     9.2         6.2              11.4
//	both in Go            10.2  13.7    12.0         8.2              15.8

DATA hashing<>+0(SB)/8, $0x9e3779b97f4a7c15 // as in contextTable.entry
DATA hashing<>+8(SB)/8, $0xd6e8feb86659fd93
GLOBL hashing<>(SB), RODATA|NOPTR, $16

// The offsets in coefficients.
#define STRIDE 0
#define FIRST (8*const_predictors)
#define SECOND (16*const_predictors)

// ENTRY has in (BX)(index*8) the context table's entry for the reference.
#define ENTRY(index) \
	MOVL  (R9)(R12*2), index;       \
	IMULQ hashing<>+0(SB), index;   \
	XORQ  R13, index;               \
	IMULQ hashing<>+8(SB), index;   \
	SHRQ  $(64-const_tableBits), index; \
	MOVQ  x+0(FP), BX;              \
	MOVQ  addressBatch_table(BX), BX

// func decodeBatch(x *addressBatch)
//
// For references behind the first two of the block. Branches are only where a reference was mispredicted or its site
// goes by the context table.
//
//	R8 states   R9 sites, before the first by the references of addrs   R10 addrs   R11 control   R15 residual
//	R12 twice the index   R14 twice the index of the next mispredicted reference, or the end   CX misses
//	R13 address of the reference before   BP coefficients   AX state   BX, DX, SI, DI anything
TEXT ·decodeBatch(SB), NOSPLIT, $16-8
	MOVQ x+0(FP), DX
	MOVQ addressBatch_states(DX), R8
	MOVQ addressBatch_sites(DX), R9
	MOVQ addressBatch_addrs(DX), R10
	MOVQ addressBatch_control(DX), R11
	MOVQ addressBatch_first(DX), R12
	MOVQ (addressBatch_sites+8)(DX), BX
	MOVQ addressBatch_before(DX), R13
	MOVQ addressBatch_residual(DX), R15
	LEAQ (R12*4), AX
	SUBQ AX, R9
	ADDQ R12, BX
	ADDQ BX, BX
	ADDQ R12, R12
	MOVQ BX, end-8(SP)
	MOVQ addressBatch_misses(DX), CX
	LEAQ ·coefficients(SB), BP
	MOVL (CX), R14
	ADDQ R14, R14
	CMPQ R12, R14
	JEQ  stop

	PCALIGN $32
reference:
	MOVL  (R9)(R12*2), AX
	LEAQ  (AX)(AX*4), AX
	LEAQ  (R8)(AX*8), AX        // addressState__size
	MOVL  addressState_by(AX), DI
	MOVQ  addressState_next(AX), DX
	CMPL  DI, $const_byTable
	JEQ   tabled
	MOVQ  SECOND(BP)(DI*8), BX
	MOVQ  FIRST(BP)(DI*8), SI
	IMULQ -16(R10)(R12*4), BX
	IMULQ R13, SI
	ADDQ  DX, BX
	ADDQ  BX, SI

hit:
	ADDQ addressState_step(AX), DX
	MOVQ DX, addressState_next(AX)
	MOVQ SI, (R10)(R12*4)
	MOVQ SI, R13
	ADDQ $2, R12
	MOVL R12, addressState_mark(AX)
	CMPQ R12, R14
	JNE  reference

stop:
	CMPQ R12, end-8(SP)
	JNE  miss
	MOVQ x+0(FP), DX
	MOVQ R13, addressBatch_before(DX)
	MOVQ R15, BX
	SUBQ addressBatch_residual(DX), BX
	MOVQ R15, addressBatch_residual(DX)
	SUBQ BX, (addressBatch_residual+8)(DX)
	SUBQ BX, (addressBatch_residual+16)(DX)
	RET

tabled:
	ENTRY(SI)
	MOVQ (BX)(SI*8), SI
	JMP  hit

	PCALIGN $32
miss:
	MOVL    (R9)(R12*2), AX
	LEAQ    (AX)(AX*4), AX
	LEAQ    (R8)(AX*8), AX
	ADDQ    $4, CX
	MOVL    (CX), R14
	ADDQ    R14, R14
	MOVBLZX (R11), DI           // the control code
	INCQ    R11
	MOVL    DI, SI
	SHLL    $4, SI
	LEAQ    ·residualLengths(SB), BX
	ADDQ    BX, SI
	MOVQ    (SI), DX            // mask
	ANDQ    (R15), DX
	ADDQ    8(SI), R15          // width
	MOVQ    DX, BX
	SHRQ    $1, DX
	ANDL    $1, BX
	NEGQ    BX
	XORQ    BX, DX              // the residual
	MOVL    addressState_mark(AX), SI
	SHRL    $1, SI
	JEQ     base                // no reference before: its address counts as 0
	MOVQ    -8(R10)(SI*8), SI

base: // the address of the site's last reference in SI
	CMPL    DI, $const_residualLast
	JCS     alternative
	MOVQ    SI, BX
	CMPL    DI, $const_residualFirst
	CMOVQCC R13, BX
	LEAQ    (DX)(BX*1), DI
	MOVQ    DI, DX
	SUBQ    SI, DX
	MOVQ    DX, SI

found: // the address in DI, its distance from the site's last in SI
	ENTRY(DX)
	MOVQ    DI, (BX)(DX*8)
	MOVQ    addressState_delta(AX), BX
	TESTB   $1, addressState_mark(AX)
	CMOVQEQ addressState_step(AX), BX
	MOVQ    addressState_stride(AX), DX
	CMPQ    SI, BX
	CMOVQEQ SI, DX
	MOVQ    DX, addressState_stride(AX)
	MOVQ    SI, addressState_delta(AX)
	MOVL    addressState_by(AX), SI
	IMULQ   STRIDE(BP)(SI*8), DX
	MOVQ    DX, addressState_step(AX)
	ADDQ    DI, DX
	MOVQ    SECOND(BP)(SI*8), BX
	IMULQ   -16(R10)(R12*4), BX
	IMULQ   FIRST(BP)(SI*8), R13
	SUBQ    BX, DX
	SUBQ    R13, DX
	MOVQ    DX, addressState_next(AX)
	MOVQ    DI, (R10)(R12*4)
	MOVQ    DI, R13
	ADDQ    $2, R12
	LEAL    1(R12), BX
	MOVL    BX, addressState_mark(AX)
	CMPQ    R12, R14
	JNE     reference
	JMP     stop

alternative: // of the predictor in DI, which the site has from now on if it is open
	MOVQ    SI, last-16(SP)
	XORL    DX, DX
	CMPQ    addressState_delta(AX), $0
	SETEQ   DX
	ORL     addressState_mark(AX), DX
	MOVL    DI, BX
	TESTB   $1, DX
	CMOVLEQ addressState_by(AX), BX
	MOVL    BX, addressState_by(AX)
	CMPL    DI, $const_byTable
	JEQ     table
	MOVL    addressState_mark(AX), SI
	SHRL    $1, SI
	MOVQ    STRIDE(BP)(DI*8), DX
	IMULQ   addressState_stride(AX), DX
	MOVQ    R13, BX
	CMPL    SI, $2
	JCS     first
	SUBQ    -16(R10)(SI*8), BX

first:
	IMULQ FIRST(BP)(DI*8), BX
	ADDQ  BX, DX
	MOVQ  -16(R10)(R12*4), BX
	CMPL  SI, $3
	JCS   second
	SUBQ  -24(R10)(SI*8), BX

second:
	IMULQ SECOND(BP)(DI*8), BX
	LEAQ  (DX)(BX*1), SI
	MOVQ  last-16(SP), DI
	ADDQ  SI, DI
	JMP   found

table:
	ENTRY(DX)
	MOVQ (BX)(DX*8), DI
	MOVQ DI, BX
	SUBQ SI, BX
	MOVQ BX, SI
	JMP  found
