package node

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"labctl/topology/live"
)

// Schema names the document that a node and a herd leave behind.
const Schema = "labctl/node/v1"

// A Result is what one process saw.
type Result struct {
	Schema   string      `json:"schema"`
	Lab      string      `json:"lab"`     // see Identity
	Process  string      `json:"process"` // that saw it
	Pauses   []Pause     `json:"pauses,omitempty"`
	Shot     int         `json:"shot,omitempty"`     // of a node that is asked: what hits are asked by
	AllHits  int         `json:"all_hits,omitempty"` // likewise: how many there are
	AllTries int         `json:"all_tries,omitempty"`
	Release  *Release    `json:"release,omitempty"` // of a herd
	Record   live.Record `json:"record"`
}

// A Release is how a herd was let go, by the clock of the tail.
type Release struct {
	Tail   string        `json:"tail"`   // the tail's process
	Agreed time.Duration `json:"agreed"` // by its clock
	Offset Offset        `json:"offset"` // how far it is ahead, before the release
	After  *Offset       `json:"after,omitempty"`
	Late   time.Duration `json:"late"` // how much later than agreed this host let go
}

// Identity is the same for two processes that run the same lab: the same file, and of
// it the same variant.
func Identity(file []byte, variant string) string {
	sum := sha256.Sum256(append(append([]byte(variant), 0), file...))
	return hex.EncodeToString(sum[:8])
}

// WriteResult writes what a process leaves behind in a file.
func WriteResult(w io.Writer, r Result) error { return json.NewEncoder(w).Encode(r) }

// ReadResult reads such a file.
func ReadResult(data []byte) (Result, error) {
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("it is no result of a node or herd: %w", err)
	}
	if r.Schema != Schema {
		return r, fmt.Errorf("its schema is %q, not %s: give a file that labctl node wrote", r.Schema, Schema)
	}
	return r, nil
}
