// Package example is the client that docs/howto/tail-in-go-tests.md tests, so
// that what the page shows compiles and passes.
package example

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Orders asks a service for orders, three times when it has to.
type Orders struct {
	URL  string
	HTTP *http.Client
	Rest time.Duration // between two attempts
}

// Get returns nil when an order could be had.
func (o Orders) Get(ctx context.Context, id string) error {
	var last error
	for attempt := range 3 {
		if attempt > 0 {
			time.Sleep(o.Rest)
		}
		if last = o.once(ctx, id); last == nil {
			break
		}
	}
	return last
}

func (o Orders) once(ctx context.Context, id string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.URL+"/orders/"+id, nil)
	if err != nil {
		return err
	}
	r.Header.Set("X-Request-Id", id)
	res, err := o.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("order %s: %s", id, res.Status)
	}
	return nil
}
