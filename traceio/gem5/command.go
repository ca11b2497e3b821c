package gem5

// use says what a packet means for memory.
type use uint8

const (
	useOther use = iota // fences, flushes, upgrades, errors: no data moves
	useLoad
	useStore
	useSwap // a load, then a store
	useResponse
	usePrefetch
)

// commands are the values of gem5's MemCmd (src/mem/packet.hh) that mean something. 1 to 5 have been the same since the
// format exists; the others are those of the releases since 2016. What gem5 2022 put in between, the locked reads and
// writes 30 to 33, moved the swap from 30 to 34: packets of a swap in older traces count as the load they begin with.
var commands = [...]use{
	1:  useLoad,     // ReadReq
	2:  useResponse, // ReadResp
	3:  useResponse, // ReadRespWithInvalidate
	4:  useStore,    // WriteReq
	5:  useResponse, // WriteResp
	6:  useResponse, // WriteCompleteResp
	7:  useStore,    // WritebackDirty
	8:  useStore,    // WritebackClean
	9:  useStore,    // WriteClean
	11: usePrefetch, // SoftPFReq
	12: usePrefetch, // SoftPFExReq
	13: usePrefetch, // HardPFReq
	14: useResponse, // SoftPFResp
	15: useResponse, // HardPFResp
	16: useStore,    // WriteLineReq
	19: useResponse, // UpgradeResp
	21: useResponse, // UpgradeFailResp
	22: useLoad,     // ReadExReq
	23: useResponse, // ReadExResp
	24: useLoad,     // ReadCleanReq
	25: useLoad,     // ReadSharedReq
	26: useLoad,     // LoadLockedReq
	27: useStore,    // StoreCondReq
	29: useResponse, // StoreCondResp
	30: useLoad,     // LockedRMWReadReq
	31: useResponse, // LockedRMWReadResp
	32: useStore,    // LockedRMWWriteReq
	33: useResponse, // LockedRMWWriteResp
	34: useSwap,     // SwapReq
	35: useResponse, // SwapResp
}

// Flags of a request (src/mem/request.hh).
const (
	flagFetch    = 0x100     // INST_FETCH
	flagPrefetch = 0x1000000 // PREFETCH
)
