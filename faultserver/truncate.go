package faultserver

import (
	"net/http"

	"labctl/faultserver/program"
)

// truncate announces a body, sends half of it and ends the connection, after a stall when
// the caller does. An answer to HEAD has no body to cut, so that comes in front of it.
func (h *Handler) truncate(w http.ResponseWriter, r *http.Request, hit *hit) {
	h.work(r, hit)
	if r.Method != http.MethodHead {
		announce(w, hit.action.Body)
		w.WriteHeader(hit.action.Status)
		fill(w, hit.action.Body/2)
		http.NewResponseController(w).Flush()
	}
	if hit.action.Kind == program.Stall {
		<-r.Context().Done()
		h.cut(w, r, hit)
		return
	}
	h.leave(hit, false)
	drop(w, hit.action.Kind)
}
