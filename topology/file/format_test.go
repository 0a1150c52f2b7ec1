package file_test

import (
	"testing"

	"labctl/topology/file"
)

// Comments stay with what they belong to.
func TestFormatKeepsComments(t *testing.T) {
	const in = `# head

# of all
version: 1 # first
services: # second
  # before c
  c: {fault: "503", idempotency: "none"} # of c
  # before client
  client:
    calls:
      # before the call
      - to: c   # whom
        # the stack
        policies:
          # outermost
          - retry:
              # as many
              retries: 2 # or 3 attempts
              jitter: none # a default
            # end of the entry
          - timeout: 1s # each
        # end of the call
      # end of the calls
    # end of the client
  # d: {}
text: | # about
  # no comment
  text
# before run
run:
  # only a comment about a default
  bin: 50ms

# the end
`
	const want = `# head

# of all
version: 1 # first
text: |- # about
  # no comment
  text
load: {herd: {clients: 1}}
services: # second
  # before client
  client:
    calls:
      # before the call
      - to: c # whom
        # the stack
        policies:
          # outermost
          # a default
          - retry:
              # as many
              attempts: 3 # or 3 attempts
          # end of the entry
          - timeout: 1s # each
        # end of the call
    # end of the calls
    # end of the client
  # before c
  c: {fault: 503} # of c
  # d: {}
# before run
# only a comment about a default

# the end
`
	out, err := file.Format("x.yaml", []byte(in))
	equal(t, "error", message(err), "")
	equal(t, "formatted", string(out), want)
	again, err := file.Format("x.yaml", out)
	equal(t, "formatted again", string(again), string(out))
	equal(t, "error", message(err), "")
}

// A file that was tidied stays as it is.
func TestFormatIsIdempotent(t *testing.T) {
	for _, text := range []string{everything, string(file.Example()), small} {
		once, err := file.Format("x.yaml", []byte(text))
		equal(t, "error", message(err), "")
		twice, err := file.Format("x.yaml", once)
		equal(t, "error", message(err), "")
		equal(t, "again", string(twice), string(once))
	}
}

// The example is canonical.
func TestExampleIsCanonical(t *testing.T) {
	out, err := file.Format("example.yaml", file.Example())
	equal(t, "error", message(err), "")
	equal(t, "the example", string(file.Example()), string(out))
}
