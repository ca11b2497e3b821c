// func countKinds(kinds unsafe.Pointer, n int) (odd, high uint64)
TEXT ·countKinds(SB), NOSPLIT, $0-32
	MOVQ kinds+0(FP), SI
	MOVQ n+8(FP), CX
	VPXOR    Y0, Y0, Y0
	VPXOR    Y1, Y1, Y1       // sums of odd, in four parts
	VPXOR    Y2, Y2, Y2       // and of high
	VPCMPEQD Y3, Y3, Y3
	VPABSB   Y3, Y3           // 1 in each byte

kinds:
	VMOVDQU (SI), Y4
	VPAND   Y3, Y4, Y5
	VPSRLW  $1, Y4, Y4
	VPAND   Y3, Y4, Y4
	VPSADBW Y0, Y5, Y5
	VPSADBW Y0, Y4, Y4
	VPADDQ  Y5, Y1, Y1
	VPADDQ  Y4, Y2, Y2
	ADDQ    $32, SI
	SUBQ    $32, CX
	JNE     kinds
	VPUNPCKLQDQ  Y2, Y1, Y3
	VPUNPCKHQDQ  Y2, Y1, Y4
	VPADDQ       Y4, Y3, Y3
	VEXTRACTI128 $1, Y3, X4
	VPADDQ       X4, X3, X3
	VMOVDQU      X3, odd+16(FP)
	VZEROUPPER
	RET
