package control

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// A problem is an error as RFC 9457 has it. Its detail says what to do.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`

	header http.Header
}

const problemType = "application/problem+json"

func newProblem(status int, name, detail string) problem {
	return problem{Type: "urn:labctl:problem:" + name, Title: http.StatusText(status), Status: status, Detail: detail, header: http.Header{}}
}

func (p problem) Error() string { return p.Detail }

func (p problem) write(w http.ResponseWriter) {
	for name, values := range p.header {
		w.Header()[name] = values
	}
	writeJSON(w, p.Status, problemType, p)
}

func full(ids int) problem {
	return newProblem(http.StatusInsufficientStorage, "too-many-ids",
		fmt.Sprintf("there are %d ids, and no room for another: delete one with DELETE /-/v1/tails/ID, or allow more (--ids)", ids))
}

// writeJSON writes a value as it stands in the document of the API.
func writeJSON(w http.ResponseWriter, status int, contentType string, value any) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	out.Encode(value) // who left misses nothing
}
