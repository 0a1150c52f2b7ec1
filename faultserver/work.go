package faultserver

import "net/http"

// work does the work of an action whose answer is not that of the service behind, and
// returns the status that one would have had.
func (h *Handler) work(r *http.Request, hit *hit) int {
	status := http.StatusOK
	if h.config.Next != nil {
		defer func() {
			if !hit.worked { // Next panicked
				h.leave(hit, false)
			}
		}()
		h.config.Next.ServeHTTP(&noting{ResponseWriter: void{}, status: &status}, r)
	}
	h.worked(hit, status)
	return status
}

// noting is a ResponseWriter that notes the status of an answer.
type noting struct {
	http.ResponseWriter
	status  *int
	written bool
}

func (w *noting) WriteHeader(status int) {
	if !w.written && status >= 200 { // one below only announces an answer
		*w.status, w.written = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *noting) Write(p []byte) (int, error) {
	w.written = true
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController, Flush for handlers from before it.
func (w *noting) Unwrap() http.ResponseWriter { return w.ResponseWriter }
func (w *noting) Flush()                      { http.NewResponseController(w.ResponseWriter).Flush() }

// void is a ResponseWriter that throws the answer away.
type void struct{}

func (void) Header() http.Header         { return http.Header{} }
func (void) Write(p []byte) (int, error) { return len(p), nil }
func (void) WriteHeader(int)             {}
