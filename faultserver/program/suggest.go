package program

// didYouMean ends an error with the known word that was probably meant, if one is
// at most two slips of the pen away.
func didYouMean(word string, known []string) string {
	const most = 2
	best, least := "", most+1
	if len(word) > len(longest(known))+most {
		return ""
	}
	for _, candidate := range known {
		if d := editDistance(word, candidate); d < least && d < len(candidate) {
			best, least = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

func longest(words []string) string {
	var most string
	for _, word := range words {
		if len(word) > len(most) {
			most = word
		}
	}
	return most
}

// editDistance counts the insertions, deletions and replacements of bytes that turn
// a into b.
func editDistance(a, b string) int {
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
