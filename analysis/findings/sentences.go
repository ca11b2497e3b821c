package findings

// The sentences of all findings, by detector: a title that names what was seen, and advice that says why it costs and
// what to do. Names of code and data come from the recording. Evidence is worded where it is counted.
const (
	conflictTitle    = "%s meet in %d of %d sets of %s"
	conflictOneTitle = "blocks of %s meet in %d of %d sets of %s"
	conflictAdvice   = "%d misses come of addresses that share sets, while other sets have room, most of them at %s: %s"
	conflictRows     = "lengthen the rows of %s by %d bytes (one block), or move it by as much, so that it spreads over " +
		"all sets."
	conflictApart = "keep what is used together there (%s) from addresses that are a multiple of %v apart."

	spatialIrregularTitle  = "blocks of %s are used in no regular order"
	spatialIrregularAdvice = "%s uses %.3g of %g bytes of a block of %s before it goes, and from one fetch to the next " +
		"goes no fixed way, as look-ups in a table or a walk along pointers do: place together what is used together, or " +
		"make what is in use smaller than %s."
	spatialAcrossTitle  = "%s is walked across its blocks"
	spatialAcrossAdvice = "Each block of %s is fetched %.3g times for %.3g of its %g bytes at a time: at %s " +
		"interchange the loops, work in tiles that fit %s%s, so that neighbours are used together."
	spatialTransposed   = ", or store %s transposed"
	spatialFieldsTitle  = "few bytes of each block of %s are ever used"
	spatialFieldsAdvice = "Only %.3g of the %g bytes of a block of %s are used in the whole run: keep the fields " +
		"that %s uses in an array of their own (structure of arrays), or pack them together."
	spatialOtherTitle  = "blocks of %s go before much of them is used"
	spatialOtherAdvice = "%s uses %.3g of %g bytes of a block of %s before it goes: place together what is used " +
		"together, or visit it in order of address."

	fusionTitle  = "%s fetches again what %s has just had"
	fusionAdvice = "%s goes over the same blocks of %s in the same order as %s, %.0f references later: do both " +
		"in one loop, or in turns over pieces that fit %s, if nothing in between forbids it."

	thrashingTitle  = "%s is gone over again and again, and %s keeps none of it"
	thrashingAdvice = "%s comes back to each block of %s after %.0f references, when %s has lost it: do all that is " +
		"to be done with a piece that fits %s before the next piece (tiles), turn round at the ends, or make the data " +
		"smaller."

	pollutionTitle  = "%s passes once and pushes %s out of %s"
	pollutionAdvice = "%s has %d bytes and would stay in %s, but %s fetches %s past it at %s: load the stream with " +
		"non-temporal hints or prefetch it past %s, or work through it in tiles and use the table in between."

	falseSharingTitle  = "%d threads write side by side in one block of %s"
	falseSharingAdvice = "%s lie in one block of %d bytes that every write takes from the other cores: give each " +
		"thread's part a block of its own (align it to %[2]d bytes)%[3]s."
	falseSharingPreset = " (%s is made for one core, so this was counted in %s)"

	leakTitle  = "blocks from %s are never freed"
	leakAdvice = "%s asks for memory that nobody gives back, in %d of %d parts of the run: free it where its " +
		"last user is done, or keep it in an arena that is freed as a whole."

	untouchedTitle  = "%d %% of the bytes from %s have no recorded reference"
	untouchedAdvice = "%s: of %d bytes in %s, %d have no recorded load or store: %s. %s"
	untouchedSome   = "ask for as much as is used, or grow it step by step"
	untouchedAll    = "leave it out, or ask for it when it is needed"

	dragTitle  = "blocks from %s are kept long after their last use"
	dragAdvice = "Blocks from %s spend %.0f %% of their life after their last use: free them right after it, " +
		"or reuse them for what comes next."
	dragLeakTitle  = "blocks from %s are never freed, though they are not used any more"
	dragLeakAdvice = "%d of %d blocks from %s, with %d bytes, are never freed, and %.0f %% of the time that they " +
		"are held is after their last use: free them where their last user is done."

	chaseTitle  = "%s chases a pointer"
	chaseAdvice = "At %s:%d an element's address comes from the one before (%s), so %d misses wait for one " +
		"another and cannot overlap: keep the elements in an array, " +
		"put several into one block of memory, or walk several chains side by side."
)
