package heap

// Link is a reallocation: block From became block To. Chains of links are how a growing buffer moves through memory.
type Link struct{ From, To int32 }
