//go:build !amd64

package orr

// replaySites finds the sites of x, and copies what they give to their references.
func replaySites(x *siteReplay) { replaySitesGeneric(x) }

// decodeBatch finds the addresses of x.
func decodeBatch(x *addressBatch) { decodeBatchGeneric(x) }
