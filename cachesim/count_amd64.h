// As many bytes of 1 as there are behind the last 32 kinds end a part of this.
DATA tail<>+0(SB)/8, $0
DATA tail<>+8(SB)/8, $0
DATA tail<>+16(SB)/8, $0
DATA tail<>+24(SB)/8, $0
DATA tail<>+32(SB)/8, $0x0101010101010101
DATA tail<>+40(SB)/8, $0x0101010101010101
DATA tail<>+48(SB)/8, $0x0101010101010101
DATA tail<>+56(SB)/8, $0x0101010101010101
GLOBL tail<>(SB), RODATA|NOPTR, $64

// COUNT has in odd and high how many of the 32 kinds at where ones has a 1 are so.
#define COUNT(at, ones, odd, high) \
	VMOVDQU at, high; \
	VPAND   ones, high, odd; \
	VPSRLW  $1, high, high; \
	VPAND   ones, high, high; \
	VPSADBW Y0, odd, odd; \
	VPSADBW Y0, high, high

// func countKinds(kinds unsafe.Pointer, n int) (odd, high uint64)
TEXT ·countKinds(SB), NOSPLIT, $0-32
	MOVQ kinds+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ CX, DX
	ANDQ $31, DX
	LEAQ tail<>(SB), BX
	VMOVDQU (BX)(DX*1), Y3
	VPXOR   Y0, Y0, Y0
	COUNT(-32(SI)(CX*1), Y3, Y1, Y2) // the last kinds, of those at the end; all others follow
	VMOVDQU 32(BX), Y3
	SUBQ    DX, CX

kinds:
	COUNT((SI), Y3, Y4, Y5)
	VPADDQ Y4, Y1, Y1
	VPADDQ Y5, Y2, Y2
	ADDQ   $32, SI
	SUBQ   $32, CX
	JNE    kinds
	VPUNPCKLQDQ  Y2, Y1, Y3
	VPUNPCKHQDQ  Y2, Y1, Y4
	VPADDQ       Y4, Y3, Y3
	VEXTRACTI128 $1, Y3, X4
	VPADDQ       X4, X3, X3
	VMOVDQU      X3, odd+16(FP)
	VZEROUPPER
	RET
