// OFFSETS reads four offsets at SI as numbers: Low into Y0, Size into Y1, From into Y2, Span into Y3. Y4 to Y7 are lost.
#define OFFSETS \
	VMOVDQU     (SI), X0       \
	VMOVDQU     32(SI), X2     \
	VPUNPCKLDQ  16(SI), X0, X4 \
	VPUNPCKHDQ  16(SI), X0, X5 \
	VPUNPCKLDQ  48(SI), X2, X6 \
	VPUNPCKHDQ  48(SI), X2, X7 \
	VPUNPCKLQDQ X6, X4, X0     \
	VPUNPCKHQDQ X6, X4, X1     \
	VPUNPCKLQDQ X7, X5, X2     \
	VPUNPCKHQDQ X7, X5, X3     \
	VCVTDQ2PD   X0, Y0         \
	VCVTDQ2PD   X1, Y1         \
	VCVTDQ2PD   X2, Y2         \
	VCVTDQ2PD   X3, Y3
