package ui

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"time"

	"labctl/report/page/assets"
)

// page are the files of the page; nothing builds them.
//
//go:embed page
var page embed.FS

// Page has the files of the page, for what shows it in another way.
func Page() fs.FS {
	files, _ := fs.Sub(page, "page") // embedded: it is there
	return files
}

// Server serves the page on one listener.
type Server struct {
	labs    Labs
	token   string
	at      net.Addr
	http    http.Server
	live    *liveRuns
	answers chan struct{} // one place for each that may be worked out at a time
}

// answersAtOnce is how many are worked out at a time: the one that somebody waits for,
// and one that is just being given up.
const answersAtOnce = 2

// longestAnswer bounds one simulation.
const longestAnswer = 10 * time.Second

// New makes the server of a page for a listener, which must be one of loopback: others
// would have a way to run things here.
func New(l net.Listener, labs Labs, token string) (*Server, error) {
	tcp, ok := l.Addr().(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return nil, fmt.Errorf("the page is for this machine alone, and %v can be reached by others", l.Addr())
	}
	s := &Server{labs: labs, token: token, at: tcp, live: newLiveRuns(labs), answers: make(chan struct{}, answersAtOnce)}
	s.http = http.Server{
		Handler:           guard(token, fmt.Sprint(tcp.Port), s.routes()),
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    32 << 10,
	}
	return s, nil
}

// URL is the address of the page.
func (s *Server) URL() string { return "http://" + s.at.String() + "/" + s.token + "/" }

// Serve answers until ctx ends, and returns when nothing is left of it: no connection,
// no simulation, no live run.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	s.http.BaseContext = func(net.Listener) context.Context { return ctx }
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(l) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-ended:
		ended <- err
	}
	s.live.close()
	// Handlers end with ctx, at once; Shutdown waits for them and cuts idle connections.
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestAnswer)
	defer cancel()
	if s.http.Shutdown(patience) != nil {
		_ = s.http.Close()
	}
	if served := <-ended; err == nil && !errors.Is(served, http.ErrServerClosed) {
		err = served
	}
	return err
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(Page()))
	mux.Handle("GET /vendor/", http.StripPrefix("/vendor", http.FileServerFS(assets.UPlot())))
	mux.HandleFunc("GET /api/labs", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, s.labs.Choices()) })
	mux.HandleFunc("GET /api/answer", s.answer)
	mux.HandleFunc("POST /api/live", s.begin)
	mux.HandleFunc("GET /api/live", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, s.live.view()) })
	mux.HandleFunc("DELETE /api/live", func(w http.ResponseWriter, _ *http.Request) { s.live.stop(); reply(w, http.StatusOK, s.live.view()) })
	return http.NewCrossOriginProtection().Handler(http.MaxBytesHandler(mux, 1<<10))
}

// answer works out a state. A page that has asked something else since has hung up,
// which ends ctx.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	query, seq := without(r.URL, "seq")
	state, err := ParseState(query)
	if err != nil {
		refuse(w, http.StatusOK, seq, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), longestAnswer)
	defer cancel()
	select {
	case s.answers <- struct{}{}:
		defer func() { <-s.answers }()
	case <-ctx.Done():
		return
	}
	begun := time.Now()
	a, err := s.labs.Answer(ctx, state)
	switch {
	case r.Context().Err() != nil: // nobody listens
	case err != nil:
		refuse(w, http.StatusOK, seq, err)
	default:
		a.Seq, a.TookMS = seq, milliseconds(time.Since(begun))
		reply(w, http.StatusOK, a)
	}
}

// begin starts a live run.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	query, network := without(r.URL, "net")
	state, err := ParseState(query)
	if err == nil {
		err = s.live.begin(r.Context(), state, network)
	}
	switch {
	case errors.Is(err, errBusy):
		refuse(w, http.StatusConflict, "", err)
	case err != nil:
		refuse(w, http.StatusUnprocessableEntity, "", err)
	default:
		reply(w, http.StatusAccepted, s.live.view())
	}
}

// without takes what is no setting out of a query.
func without(u *url.URL, name string) (query, value string) {
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return u.RawQuery, "" // ParseState says what is wrong
	}
	value = values.Get(name)
	values.Del(name)
	return values.Encode(), value
}

func refuse(w http.ResponseWriter, status int, seq string, err error) {
	reply(w, status, map[string]string{"seq": seq, "error": err.Error()})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a page that hung up reads nothing
}
