package subjects

import "testing"

func TestReadTruthRefuses(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"a\t1\t503\tGET\t4", "truth.tsv: line 2: 5 columns, want 6"},
		{"a\t1\t503\tGET\t0\texact", `truth.tsv: line 2: hits "0": want whole numbers from 1`},
		{"a\t1\t503\tGET\t4|\texact", `truth.tsv: line 2: hits "4|": want whole numbers from 1`},
		{"a\t1\t503\tGET\t4\tperhaps", `truth.tsv: line 2: count "perhaps" is neither exact nor racy`},
	} {
		_, err := readTruth("# head\n" + tt.line + "\n")
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q: got %v, want %s", tt.line, err, tt.want)
		}
	}
}
