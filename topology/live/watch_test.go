package live_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"labctl/topology/live"
)

// Who watches a run is told what the result says, hit by hit, by the lab's clock
// whatever that of the layer shows.
func TestAWatcherIsToldOfEveryHit(t *testing.T) {
	for what, at := range map[string]string{"the tail": "b", "a layer above": "a"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				top := lab(t, []int{2, 2}, "load.herd.clients=3", "services.client.calls.a.retry.rest=100ms",
					"services.b.fault=503+delay=10ms", "services."+at+".skew=1s", "run.at="+at)
				var mu sync.Mutex
				bins, inFlight, most := make([]int64, 10), 0, 0
				first := int64(0)
				v, _, err := live.Run(t.Context(), top, live.Options{
					Net: live.Pipe(),
					Hit: func(at time.Duration, wave bool) {
						mu.Lock()
						defer mu.Unlock()
						bins[at/top.Run.Bin]++
						if wave {
							first++
						}
						inFlight++
						most = max(most, inFlight)
					},
					Left: func() {
						mu.Lock()
						defer mu.Unlock()
						inFlight--
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				same(t, "bins", slices.Clip(bins[:len(v.Bins)]), v.Bins)
				equal(t, "first wave", first, v.FirstWave)
				equal(t, "in flight at the end", inFlight, 0)
				equal(t, "in flight at most", most, 3)
			})
		})
	}
}
