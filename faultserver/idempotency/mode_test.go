package idempotency_test

import (
	"strings"
	"testing"

	"labctl/faultserver/idempotency"
)

func TestParseMode(t *testing.T) {
	for name, want := range map[string]idempotency.Mode{
		"none": idempotency.None, "store-after": idempotency.StoreAfter,
		"reserve-first": idempotency.ReserveFirst, "reserve-and-wait": idempotency.ReserveAndWait,
	} {
		m, err := idempotency.ParseMode(name)
		if err != nil || m != want || m.String() != name {
			t.Errorf("%s: got %v, %v", name, m, err)
		}
	}
	const choices = `unknown mode "first": choose none, store-after, reserve-first, reserve-and-wait`
	if _, err := idempotency.ParseMode("first"); err == nil || !strings.Contains(err.Error(), choices) {
		t.Errorf("got %v", err)
	}
}
