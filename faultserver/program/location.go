package program

import "fmt"

// location takes a reference that can stand in a program and in a header: where a
// client that follows redirects goes next.
func (a *Action) location(text string) error {
	if !visible(text) {
		return fmt.Errorf("location %s is not visible ASCII without spaces; write for example location=again", quote(text))
	}
	a.Location = text
	return nil
}
