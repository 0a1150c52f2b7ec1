package tap

import "fmt"

// An exchange is what is understood of one connection: the requests in it, and which of
// them the bytes of answers belong to. The book's lock guards it.
type exchange struct {
	book    *book
	conn    int
	turns   int
	asked   reader
	told    reader
	last    int   // the request whose body comes, an index of the book; -1: none
	waiting []int // requests without a complete answer, oldest first
	interim bool  // the answer that is read is a 1xx: the real one follows
	left    bool  // the client has ended its direction
	doubted bool
}

func newExchange(b *book, conn int) *exchange {
	x := &exchange{book: b, conn: conn, last: -1}
	x.asked.to, x.told.to = asking{x}, telling{x}
	return x
}

// sent reads bytes of the client.
func (x *exchange) sent(data []byte) {
	x.book.mu.Lock()
	defer x.book.mu.Unlock()
	x.asked.feed(data)
	x.doubt(x.asked.err)
}

// received reads bytes of the hop.
func (x *exchange) received(data []byte) {
	x.book.mu.Lock()
	defer x.book.mu.Unlock()
	if len(x.waiting) > 0 {
		x.book.at(x.waiting[0]).Answer += int64(len(data))
	}
	x.told.feed(data)
	x.doubt(x.told.err)
}

// leave is told that the client sends nothing more. It may still listen.
func (x *exchange) leave(reset bool) {
	x.book.mu.Lock()
	defer x.book.mu.Unlock()
	x.left = true
	if reset {
		x.die()
	}
}

// hangUp is told that the hop sends nothing more, which completes a body that lasts as
// long as its connection.
func (x *exchange) hangUp(reset bool) {
	x.book.mu.Lock()
	defer x.book.mu.Unlock()
	if x.told.stage == inClose && !reset {
		x.answered()
	}
	x.die()
}

// die ends the requests that will have no answer any more.
func (x *exchange) die() {
	for _, i := range x.waiting {
		r := x.book.at(i)
		r.End, r.Died, r.Left = x.book.now(), true, x.left
	}
	x.waiting = nil
}

// doubt says once per connection that counting has stopped.
func (x *exchange) doubt(err error) {
	if err == nil || x.doubted {
		return
	}
	x.doubted = true
	x.book.doubt(fmt.Sprintf("connection %d: %v; it is not counted from there on", x.conn, err))
}

// answered ends the oldest request that waits.
func (x *exchange) answered() {
	if len(x.waiting) == 0 {
		return
	}
	x.book.at(x.waiting[0]).End = x.book.now()
	x.waiting = x.waiting[1:]
}

// asking and telling are the two directions of an exchange.
type (
	asking  struct{ *exchange }
	telling struct{ *exchange }
)

func (x asking) head(line string, fields []string) (framing, error) {
	method, target, err := requestLine(line)
	if err != nil {
		return 0, err
	}
	length, err := declared(fields, 0)
	if err != nil {
		return 0, err
	}
	x.turns++
	x.last, err = x.book.add(Request{
		At: x.book.now(), Conn: x.conn, Turn: x.turns,
		Method: method, Target: target[:min(len(target), MaxTarget)], Length: int64(length),
	})
	if err == nil {
		x.waiting = append(x.waiting, x.last)
	}
	return length, err
}

func (x asking) body(n int64) { x.book.at(x.last).Body += n }

func (x asking) end() {}

func (x telling) head(line string, fields []string) (framing, error) {
	method := ""
	if len(x.waiting) > 0 {
		method = x.book.at(x.waiting[0]).Method
	}
	status, err := statusLine(line)
	if err != nil {
		return 0, err
	}
	body, err := answerBody(method, status, fields)
	x.interim = status/100 == 1 && status != 101
	if len(x.waiting) > 0 && !x.interim {
		x.book.at(x.waiting[0]).Status = status
	}
	if body == opaque {
		x.asked.stage = deaf // both directions change the protocol at once
		x.answered()
	}
	return body, err
}

func (x telling) body(int64) {}

func (x telling) end() {
	if !x.interim {
		x.answered()
	}
}
