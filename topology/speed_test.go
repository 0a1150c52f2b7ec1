package topology

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/topology/policy"
)

// A product and quotient of any two numbers is exact, or saturates.
func TestMulDiv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, num := rapid.Int64Min(0).Draw(t, "d"), rapid.Int64Min(0).Draw(t, "num")
		den := rapid.Int64Min(1).Draw(t, "den")
		exact := new(big.Int).Mul(big.NewInt(d), big.NewInt(num))
		exact.Quo(exact, big.NewInt(den))
		want := int64(policy.Never)
		if exact.IsInt64() {
			want = exact.Int64()
		}
		if got := mulDiv(time.Duration(d), num, den); int64(got) != want {
			t.Fatalf("%d × %d ÷ %d: got %d, want %d", d, num, den, got, want)
		}
	})
}
