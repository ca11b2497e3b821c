package drmemtrace

// The types of an entry, by their names in DynamoRIO's trace_entry.h without TRACE_TYPE_.
const (
	typeRead          = 0
	typeWrite         = 1
	typePrefetch      = 2 // to 9
	typePrefetchEnd   = 9
	typeInstr         = 10 // to 16: plain, direct and indirect jump, conditional jump, direct and indirect call, return
	typeInstrReturn   = 16
	typeInstrBundle   = 17 // size instructions whose lengths are the bytes of the address
	typeInstrFlush    = 18
	typeInstrFlushEnd = 19
	typeDataFlush     = 20
	typeDataFlushEnd  = 21
	typeThread        = 22 // address: id of the thread that what follows belongs to
	typeThreadExit    = 23
	typePid           = 24
	typeHeader        = 25 // address: version of the format
	typeFooter        = 26
	typeHardwareFetch = 27 // a prefetch by a simulated prefetcher
	typeMarker        = 28 // size: kind of marker, address: value
	typeInstrNoFetch  = 29 // a further turn of a rep instruction
	typeInstrMaybe    = 30 // fetched unless it is the instruction before
	typeSysenter      = 31
	typePrefetchNew   = 32 // to 46: prefetches of all architectures
	typePrefetchLast  = 46
	typeEncoding      = 47 // bytes of the instruction that follows
	typeTakenJump     = 48
	typeUntakenJump   = 49
	typeLast          = 49
)

// The kinds of marker that mean something here.
const (
	markTimestamp = 2 // microseconds since 1601
	markFileType  = 9
	markWindowID  = 14 // a new number: references are missing in front of it
)

// Bits of a file type.
const (
	fileFiltered   = 0x01 | 0x80 | 0x100 // all, instruction or data references were filtered by a small cache
	fileInstrsOnly = 0x04
)

// unixIn1601 is the beginning of 1970 in microseconds since the beginning of 1601: 369 years, 89 of them leap years.
const unixIn1601 = (369*365 + 89) * 86400 * 1_000_000
