package table

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
)

// CSV is the table as it stands, filtered and sorted, as comma-separated text with one line of heads. Numbers are whole
// or have all their digits, shares are 0 to 1; a number that a row has not is empty.
func CSV(s State) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	record := []string{s.Title}
	for _, c := range s.Columns {
		record = append(record, c.Title)
	}
	w.Write(record)
	for _, i := range s.order() {
		r := &s.Rows[i]
		record = append(record[:0], r.Name)
		for k, c := range s.Columns {
			text := ""
			switch v := r.Values[k]; {
			case math.IsNaN(v):
			case c.Format == Count || c.Format == Change:
				text = strconv.FormatFloat(v, 'f', 0, 64)
			default:
				text = strconv.FormatFloat(v, 'g', -1, 64)
			}
			record = append(record, text)
		}
		w.Write(record)
	}
	w.Flush() // into memory: it cannot fail
	return b.Bytes()
}
