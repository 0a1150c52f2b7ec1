package main

import (
	"context"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// openBrowser shows an address in the user's browser, where there is one. The address
// is a secret, and arguments of a command are seen by everybody on the machine: the
// browser is given a file that only the user can read, and that leads to it. What is
// returned takes that away again.
func openBrowser(url string) (done func()) {
	dir, err := os.MkdirTemp("", "labctl-ui-") // for this user only
	if err != nil {
		return func() {}
	}
	name := filepath.Join(dir, "labctl.html")
	page := `<!doctype html><meta charset="utf-8"><title>labctl</title><meta http-equiv="refresh" content="0;url=` +
		html.EscapeString(url) + `">`
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if os.WriteFile(name, []byte(page), 0o600) == nil {
			words := append(opener(), name)
			_ = exec.CommandContext(ctx, words[0], words[1:]...).Run() // the address is printed as well
		}
	}()
	return func() {
		cancel()
		<-ended
		_ = os.RemoveAll(dir)
	}
}

// opener is the command that opens a file with the user's browser.
func opener() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}
