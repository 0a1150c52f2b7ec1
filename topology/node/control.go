package node

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"labctl/faultserver/control"
	"labctl/topology/live"
)

// routes are the control part.
func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	add := func(pattern string, guarded bool, serve http.HandlerFunc) {
		mux.Handle(pattern, control.Guard(control.Config{Token: s.config.Token, AnyHost: s.config.AnyHost}, guarded, serve))
	}
	add("GET /-/live", false, func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "live") })
	add("GET /-/ready", false, s.serveReady)
	add("GET /-/clock", false, s.serveClock)
	add("GET /-/metrics", false, s.serveMetrics)
	add("GET /-/node/result", true, s.serveResult)
	add("GET /-/node/result/{shot}/hits", true, s.serveHits)
	add("GET /-/node/result/{shot}/tries", true, s.serveTries)
	add("POST /-/node/reset", true, s.serveReset)
	return mux
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(value) // who left misses nothing
}

// serveReady is for those who send requests here. The hosts that probe it ask under
// any name.
func (s *Server) serveReady(w http.ResponseWriter, _ *http.Request) {
	switch {
	case s.closing.Load():
		say(w, http.StatusServiceUnavailable, "it ends")
	case !s.ready.Load():
		say(w, http.StatusServiceUnavailable, "it waits for a service that it calls")
	default:
		say(w, http.StatusOK, "ready")
	}
}

func (s *Server) serveClock(w http.ResponseWriter, _ *http.Request) {
	r := Reading{Process: s.clock.Process, Began: s.clock.Began.UTC(), Received: s.clock.Now()}
	r.Answered = s.clock.Now()
	writeJSON(w, r)
}

// serveResult takes a snapshot, and answers with all of it but its hits.
func (s *Server) serveResult(w http.ResponseWriter, _ *http.Request) {
	result := s.Result()
	s.mu.Lock()
	record := result.Record
	s.shots++
	s.shot, result.Shot = &record, s.shots
	s.mu.Unlock()
	result.AllHits, result.AllTries = len(record.Hits), len(record.Tries)
	result.Record.Hits, result.Record.Tries = nil, nil
	writeJSON(w, result)
}

func (s *Server) serveHits(w http.ResponseWriter, r *http.Request) {
	if shot := s.shotOf(w, r); shot != nil {
		servePage(w, r, shot.Hits)
	}
}

func (s *Server) serveTries(w http.ResponseWriter, r *http.Request) {
	if shot := s.shotOf(w, r); shot != nil {
		servePage(w, r, shot.Tries)
	}
}

// shotOf finds the snapshot that a path names, or says that it is gone.
func (s *Server) shotOf(w http.ResponseWriter, r *http.Request) *live.Record {
	shot, _ := strconv.Atoi(r.PathValue("shot"))
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.shot == nil || s.shots != shot {
		say(w, http.StatusGone, "another asked for the result meanwhile, or reset it: ask for /-/node/result again")
		return nil
	}
	return s.shot
}

// page is how many records are told at once.
const page = 10_000

func servePage[T any](w http.ResponseWriter, r *http.Request, all []T) {
	from, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || from < 0 || from > len(all) {
		say(w, http.StatusBadRequest, fmt.Sprintf("from: say a number from 0 to %d", len(all)))
		return
	}
	writeJSON(w, all[from:min(from+page, len(all))])
}

func (s *Server) serveReset(w http.ResponseWriter, _ *http.Request) {
	if err := s.reset(); err != nil {
		say(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
