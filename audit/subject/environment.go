package subject

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// MarkVariable is in the environment of a command and of all that it starts. Each run
// has another value, by which its daemons are found.
const MarkVariable = "LABCTL_SUBJECT"

var marks atomic.Int64

// newMark returns a setting of MarkVariable that no other run has.
func newMark() string {
	return fmt.Sprintf("%s=%d.%d", MarkVariable, os.Getpid(), marks.Add(1))
}

// proxied are the variables that send a request elsewhere, as curl, wget, Go, Python and
// Node know them, in small letters.
var proxied = []string{"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "socks_proxy", "npm_config_proxy", "npm_config_https_proxy"}

// environment is the user's without proxies, and then the extra one: of two settings the
// later one counts.
func environment(user, extra []string) []string {
	own := slices.DeleteFunc(slices.Clone(user), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return slices.Contains(proxied, strings.ToLower(name))
	})
	return append(own, extra...)
}
