package faultserver

import "net/http"

// truncate announces a body, sends half of it and ends the connection. An answer to HEAD
// has no body to cut, so the connection ends in front of it.
func (h *Handler) truncate(w http.ResponseWriter, r *http.Request, hit *hit) {
	h.work(r, hit)
	if r.Method != http.MethodHead {
		announce(w, hit.action.Body)
		w.WriteHeader(hit.action.Status)
		fill(w, hit.action.Body/2)
		http.NewResponseController(w).Flush()
	}
	h.leave(hit, false)
	drop(w, hit.action.Kind)
}
