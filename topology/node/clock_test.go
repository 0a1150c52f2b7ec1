package node_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/topology/node"
)

const msec = time.Millisecond

// The arithmetic of NTP (RFC 5905, section 8): four instants give an offset and a delay.
func TestRoundTrips(t *testing.T) {
	for _, tt := range []struct {
		name          string
		trip          node.RoundTrip
		offset, delay time.Duration
	}{
		{"the same clock", node.RoundTrip{Sent: 0, Received: 5 * msec, Answered: 6 * msec, Returned: 11 * msec}, 0, 10 * msec},
		{"one that is ahead", node.RoundTrip{Sent: 0, Received: 1005 * msec, Answered: 1006 * msec, Returned: 11 * msec}, 1000 * msec, 10 * msec},
		{"one that is behind", node.RoundTrip{Sent: 2000 * msec, Received: 5 * msec, Answered: 5 * msec, Returned: 2010 * msec}, -2000 * msec, 10 * msec},
		{"all of the way there", node.RoundTrip{Sent: 0, Received: 10 * msec, Answered: 10 * msec, Returned: 10 * msec}, 5 * msec, 10 * msec},
		{"all of the way back", node.RoundTrip{Sent: 0, Received: 0, Answered: 0, Returned: 10 * msec}, -5 * msec, 10 * msec},
		{"no time at all", node.RoundTrip{Sent: 7, Received: 7, Answered: 7, Returned: 7}, 0, 0},
		{"an answer that took longer than the way, by rounding", node.RoundTrip{Sent: 0, Received: 1, Answered: 5, Returned: 3}, 1, 0},
	} {
		if got := tt.trip.Offset(); got != tt.offset {
			t.Errorf("%s: offset %v, want %v", tt.name, got, tt.offset)
		}
		if got := tt.trip.Delay(); got != tt.delay {
			t.Errorf("%s: delay %v, want %v", tt.name, got, tt.delay)
		}
	}
}

func TestNearestRoundTripCounts(t *testing.T) {
	trip := func(there, back time.Duration) node.RoundTrip {
		return node.RoundTrip{Sent: 0, Received: 100*msec + there, Answered: 100*msec + there, Returned: there + back}
	}
	for _, tt := range []struct {
		name  string
		trips []node.RoundTrip
		want  node.Offset
		ok    bool
	}{
		{"none", nil, node.Offset{}, false},
		{"one", []node.RoundTrip{trip(2*msec, 2*msec)}, node.Offset{Ahead: 100 * msec, Bound: 2 * msec}, true},
		{"a queue on one way", []node.RoundTrip{trip(30*msec, 2*msec), trip(2*msec, 2*msec), trip(2*msec, 40*msec)}, node.Offset{Ahead: 100 * msec, Bound: 2 * msec}, true},
		{"the first of equals", []node.RoundTrip{trip(3*msec, 1*msec), trip(1*msec, 3*msec)}, node.Offset{Ahead: 101 * msec, Bound: 2 * msec}, true},
		{"half a nanosecond is rounded up", []node.RoundTrip{trip(0, 1)}, node.Offset{Ahead: 100*msec - 1, Bound: 1}, true},
	} {
		got, ok := node.Nearest(tt.trips)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// The truth lies within the bound, however long each way takes.
func TestBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ahead := time.Duration(rapid.Int64Range(-1e12, 1e12).Draw(t, "ahead"))
		var trips []node.RoundTrip
		at := time.Duration(0)
		for range rapid.IntRange(1, 8).Draw(t, "trips") {
			way := func(name string) time.Duration { return time.Duration(rapid.Int64Range(0, 1e9).Draw(t, name)) }
			r := node.RoundTrip{Sent: at}
			r.Received = at + way("there") + ahead
			r.Answered = r.Received + way("work")
			r.Returned = r.Answered - ahead + way("back")
			at = r.Returned
			trips = append(trips, r)
		}
		o, _ := node.Nearest(trips)
		if wrong := (o.Ahead - ahead).Abs(); wrong > o.Bound {
			t.Fatalf("%v ahead, said %v ±%v", ahead, o.Ahead, o.Bound)
		}
	})
}

// Two clocks that were read from here are as far apart as both readings say.
func TestClocksReadFromAThird(t *testing.T) {
	tail, other := node.Offset{Ahead: 500 * msec, Bound: 2 * msec}, node.Offset{Ahead: -100 * msec, Bound: 3 * msec}
	if got, want := tail.From(other), (node.Offset{Ahead: 600 * msec, Bound: 5 * msec}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
