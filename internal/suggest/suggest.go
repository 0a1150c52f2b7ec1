// Package suggest ends an error about an unknown word with the known one that
// was probably meant.
package suggest

// most is how many slips of the pen still count as the same word.
const most = 2

// DidYouMean returns "; did you mean WORD?" for the nearest known word, or
// nothing when none is near.
func DidYouMean(word string, known []string) string {
	best := Nearest(word, known)
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// Nearest returns the known word that was probably meant, or nothing when none is
// near.
func Nearest(word string, known []string) string {
	best, least := "", most+1
	for _, candidate := range known {
		if len(word) > len(candidate)+most {
			continue // also keeps a stranger's long word from costing anything
		}
		if d := distance(word, candidate); d < least && d < len(candidate) {
			best, least = candidate, d
		}
	}
	return best
}

// distance counts the insertions, deletions and replacements of bytes that turn
// a into b (Levenshtein), row by row.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
