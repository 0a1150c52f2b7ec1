package control

import (
	_ "embed"
	"net/http"
)

// document is the description of the API. A test holds it against the routes, and runs
// its examples.
//
//go:embed openapi.json
var openAPI []byte

func (a *api) document(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Write(openAPI)
	return nil
}
