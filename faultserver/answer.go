package faultserver

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"labctl/faultserver/program"
)

// ok does the work and answers. Work without a Next is done before the answer goes out,
// so that a caller which has its answer finds it counted and stored.
func (h *Handler) ok(w http.ResponseWriter, r *http.Request, hit *hit) {
	defer h.leave(hit, false)
	if h.config.Next == nil {
		h.worked(hit, hit.action.Status)
		h.answer(w, hit.action)
		return
	}
	h.options(w, hit.action)
	status := http.StatusOK
	if hit.key != "" {
		n := noting{ResponseWriter: w, status: &status}
		w = &n
	}
	h.config.Next.ServeHTTP(w, r)
	h.worked(hit, status)
}

// answer writes the answer of an ok or status action.
func (h *Handler) answer(w http.ResponseWriter, a program.Action) {
	h.options(w, a)
	if a.Body > 0 {
		announce(w, a.Body)
	}
	w.WriteHeader(a.Status)
	fill(w, a.Body)
}

// options writes the headers that an action asks for.
func (h *Handler) options(w http.ResponseWriter, a program.Action) {
	var now time.Time
	if a.RetryAfterDate {
		now = h.config.Now()
	}
	if text := a.RetryAfterHeader(now); text != "" {
		w.Header().Set("Retry-After", text)
	}
	if a.Location != "" {
		w.Header().Set("Location", a.Location)
	}
	if a.Close {
		w.Header().Set("Connection", "close")
	}
}

// announce writes the headers of n bytes of filler.
func announce(w http.ResponseWriter, n int64) {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.FormatInt(n, 10))
}

var filler = func() (block [32 << 10]byte) {
	for i := range block {
		block[i] = 'x'
	}
	return block
}()

// fill writes n bytes, or fewer when the caller wants none, as after HEAD.
func fill(w io.Writer, n int64) error {
	for n > 0 {
		written, err := w.Write(filler[:min(n, int64(len(filler)))])
		if err != nil {
			return err
		}
		n -= int64(written)
	}
	return nil
}
