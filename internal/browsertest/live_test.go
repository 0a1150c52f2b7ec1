package browsertest

import (
	"strings"
	"testing"
)

// hundred is a herd whose live run is soon over, and whose hits are the same each time.
const hundred = "#lab=jitter-herd&variant=jitter&clients=100&attempts=3&rest="

func TestALiveRunIsWatchedToItsEnd(t *testing.T) {
	address := serve(t)
	tb := open(t, address+hundred+"20ms", desk)
	tb.says("--clients 100", "--rest 20ms")
	tb.click("live-start")
	tb.until(`document.getElementById("live-status").textContent.includes("300 hits live, 300 in virtual time")`)
	tb.until(`!document.getElementById("live-start").disabled && document.getElementById("live-stop").disabled`)
	tb.drawn()
	tb.shot("page-live")
	tb.accessible("page with a live run")
	tb.own(address)
}

func TestALiveRunIsStopped(t *testing.T) {
	address := serve(t)
	tb := open(t, address+hundred+"20000ms", desk) // full jitter up to 20 s: it does not end by itself in time
	tb.says("--clients 100", "--rest 20000ms")
	tb.click("live-start")
	tb.until(`/^running, .*: 1\d\d hits of/.test(document.getElementById("live-status").textContent)`)
	tb.click("live-stop")
	tb.until(`document.getElementById("live-status").textContent.startsWith("stopped: ")`)
	if got := tb.text("#live-status"); !strings.Contains(got, " hits live, 300 in virtual time") {
		t.Errorf("a stopped run says %q", got)
	}
	tb.own(address)
}
