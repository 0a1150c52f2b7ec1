package report

import "io"

// Rows prints a table of text, its head first, as every other table of the program
// looks; where the line is too short, row by row.
func Rows(w io.Writer, rows [][]string, width int) error {
	var s sheet
	for _, head := range rows[0] {
		s = append(s, column{head: head})
	}
	for _, row := range rows[1:] {
		s.add(row...)
	}
	return s.write(w, Options{Width: width})
}
