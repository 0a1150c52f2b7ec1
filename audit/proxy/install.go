package proxy

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"labctl/audit/subject"
)

// systemDirs are where servers are that are not in an ordinary user's PATH.
var systemDirs = []string{"/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/local/bin", "/opt/homebrew/sbin", "/opt/homebrew/bin"}

// Installed returns where the program of a recipe is on this machine.
func Installed(r Recipe) (path string, ok bool) {
	for _, name := range r.Programs {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
		for _, dir := range systemDirs {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return path, true
			}
		}
	}
	return "", false
}

// number is a version in an answer such as "nginx version: nginx/1.22.1".
var number = regexp.MustCompile(`\d+(\.\d+)+`)

// versionTime bounds the question for a version.
const versionTime = 5 * time.Second

// Version asks the program of a recipe for its version: "1.22.1", or "" where it does
// not say or is not there.
func Version(ctx context.Context, r Recipe) string {
	path, ok := Installed(r)
	if !ok {
		return ""
	}
	args := append([]string{path}, r.version...)
	return number.FindString(subject.Run(ctx, subject.Command{Args: args}, nil, subject.Limits{Time: versionTime}).Output)
}

// moduleDirs are where distributions put the modules of Apache.
var moduleDirs = []string{
	"/usr/lib/apache2/modules", "/usr/lib64/httpd/modules", "/usr/lib/httpd/modules", "/usr/lib64/apache2",
	"/usr/local/apache2/modules", "/usr/local/libexec/apache24", "/opt/homebrew/lib/httpd/modules", "/usr/libexec/apache2",
}

// moduleDir is the one of this machine.
func moduleDir() string {
	for _, dir := range moduleDirs {
		if _, err := os.Stat(filepath.Join(dir, "mod_proxy.so")); err == nil {
			return dir
		}
	}
	return moduleDirs[0] // what Apache then says of it is as good as anything said here
}
