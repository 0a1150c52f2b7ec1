package control

import (
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"labctl/faultserver"
)

// An arrival is faultserver's, as JSON.
type arrival struct {
	Number     int               `json:"number"` // from 1 in the order of arrival
	AtMS       float64           `json:"at_ms"`
	EndMS      *float64          `json:"end_ms,omitempty"`
	Method     string            `json:"method"`
	Target     string            `json:"target"`
	Remote     string            `json:"remote"`
	Port       int               `json:"port,omitempty"`
	Connection int               `json:"connection,omitempty"`
	Turn       int               `json:"turn,omitempty"`
	RequestID  string            `json:"request_id,omitempty"`
	Headers    map[string]string `json:"headers"`
	Kind       string            `json:"kind"`
	Status     int               `json:"status,omitempty"`
	BodyBytes  int64             `json:"body_bytes"`
	Complete   bool              `json:"complete"`
	CutShort   bool              `json:"cut_short"`
	Worked     bool              `json:"worked"`
}

func toJSON(number int, a faultserver.Arrival) arrival {
	out := arrival{
		Number: number, AtMS: ms(a.At), Method: a.Method, Target: a.Target, Remote: a.Remote,
		Connection: a.Conn, Turn: a.Turn, RequestID: a.ID, Headers: map[string]string{},
		Kind: a.Kind.String(), Status: a.Status, BodyBytes: a.Body,
		Complete: a.Complete, CutShort: a.CutShort, Worked: a.Worked,
	}
	if a.End >= 0 {
		end := ms(a.End)
		out.EndMS = &end
	}
	if _, port, err := net.SplitHostPort(a.Remote); err == nil {
		out.Port, _ = strconv.Atoi(port)
	}
	for i, value := range a.Headers {
		if value != "" {
			out.Headers[headers[i].name] = value
		}
	}
	return out
}

// ms is a time in milliseconds, to the microsecond: a clock tells no more of a network.
func ms(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// arrivals pages by number. Only while hits come can two that arrived together still
// change places, and with them their numbers.
func (a *api) arrivals(w http.ResponseWriter, r *http.Request) error {
	t, err := a.named(r)
	if err != nil {
		return err
	}
	after, err := number(r, "after", 0, 0, math.MaxInt32)
	if err != nil {
		return err
	}
	limit, err := number(r, "limit", defaultLimit, 1, maxLimit)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, "application/json", a.page(t, after, limit))
	return nil
}

type arrivalsPage struct {
	Arrivals []arrival `json:"arrivals"`
	Kept     int       `json:"kept"`
	Dropped  int       `json:"dropped"` // counted only
	Next     int       `json:"next,omitempty"`
}

func (a *api) page(t *tail, after, limit int) arrivalsPage {
	a.paging.Lock()
	defer a.paging.Unlock()
	all := t.handler.Arrivals()
	page := arrivalsPage{Arrivals: []arrival{}, Kept: len(all), Dropped: t.handler.Dropped()}
	from := min(after, len(all))
	to := min(from+limit, len(all))
	for i, found := range all[from:to] {
		page.Arrivals = append(page.Arrivals, toJSON(from+i+1, found))
	}
	if to < len(all) {
		page.Next = to
	}
	return page
}
