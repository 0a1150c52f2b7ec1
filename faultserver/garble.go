package faultserver

import (
	"io"
	"net/http"

	"labctl/faultserver/program"
)

// What no client can read: a status that is not a number, and a chunk that says 4 bytes
// and has more.
const (
	malformed = "HTTP/1.1 two hundred\r\n\r\n"
	badChunk  = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nxxxxxxxx\r\n"
)

// garble answers in a way that cannot be read. An answer to HEAD has no body to spoil, so
// its head is. The hit is over first: a client knows with the first of these bytes.
func (h *Handler) garble(w http.ResponseWriter, r *http.Request, hit *hit) {
	h.work(r, hit)
	h.leave(hit, false)
	conn := hijack(w)
	defer conn.Close()
	text := malformed
	if hit.action.Kind == program.BadChunk && r.Method != http.MethodHead {
		text = badChunk
	}
	io.WriteString(conn, text)
}
