// Package flame draws allocations by call stack as an icicle: the whole log at
// the top, under it the functions that allocation stacks begin with, and so on
// down to the functions that called the allocator. Width is what the reader
// asked for: bytes, calls, what was never freed, what was in use at the peak, or
// what was freed at once.
//
// State is a plain value; Scene draws it, Hit says what lies under the pointer.
package flame
