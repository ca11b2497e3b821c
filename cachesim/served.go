package cachesim

// Served says which level had the data of one reference: 2i when level i did (i = number of levels: memory), 2i+1 when
// level i missed and was written whole, so that nobody below was asked. Of a reference that crosses blocks it is the
// slower part. The order of values is the order of slowness.
type Served uint8

// Unserved is the Served of a row that no level takes: a fetch in a hierarchy without instruction caches.
const Unserved Served = 255

// Level is the index of the level that had the data or was written whole; the number of levels means main memory.
func (s Served) Level() int { return int(s >> 1) }

// Whole tells whether the level missed and was written whole.
func (s Served) Whole() bool { return s&1 != 0 }
