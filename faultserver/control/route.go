package control

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Where a path leads.
const (
	apiPrefix = "/-/"
	idPrefix  = "/p/"

	// defaultName is the id of the default tail.
	defaultName = "default"
)

// cutID takes the id out of a path below idPrefix.
func cutID(path string) (id string, found bool) {
	rest, found := strings.CutPrefix(path, idPrefix)
	id, _, _ = strings.Cut(rest, "/")
	return id, found
}

// checkID keeps ids to what needs no escape in a path, a label or a terminal, and can be
// no relative path.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("the id is missing: write " + idPrefix + "ID/")
	case len(id) > MaxID:
		return fmt.Errorf("an id of %d bytes: the limit is %d", len(id), MaxID)
	}
	for i := range len(id) {
		c := id[i]
		alphanumeric := '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !alphanumeric && (i == 0 || !strings.ContainsRune("._~-", rune(c))) {
			return fmt.Errorf("id %q: write letters and digits, and after the first of them also . _ ~ -", id)
		}
	}
	return nil
}

// checkPrefix refuses a path that no request would reach, or that is not the user's.
func checkPrefix(prefix string) error {
	visible := utf8.ValidString(prefix) && !strings.ContainsFunc(prefix, func(r rune) bool { return r <= ' ' || r == 0x7f })
	switch {
	case len(prefix) > maxPath:
		return fmt.Errorf("a path of %d bytes: the limit is %d", len(prefix), maxPath)
	case prefix == "/":
		return errors.New("path /: that is the default tail, whose program is --fault")
	case !strings.HasPrefix(prefix, "/") || path.Clean(prefix) != prefix || !visible:
		return fmt.Errorf("path %q: write it as /orders or /orders/new, without a slash at the end", prefix)
	}
	for _, taken := range []string{apiPrefix, idPrefix} {
		if strings.HasPrefix(prefix+"/", taken) {
			return fmt.Errorf("path %s: what is below %s has its own meaning: choose another", prefix, taken)
		}
	}
	return nil
}

// below reports whether a path is the prefix or below it.
func below(path, prefix string) bool {
	rest, found := strings.CutPrefix(path, prefix)
	return found && (rest == "" || rest[0] == '/')
}
