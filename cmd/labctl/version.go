package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of this source tree; CHANGELOG.md says what is in it.
const release = "0.1.0"

// version is the release, with the revision where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return release + "+" + s.Value[:12]
		}
	}
	return release
}

// versionLine is what a bug report wants to know.
func versionLine() string {
	return fmt.Sprintf("labctl %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Args:    nothing,
		GroupID: groupTools,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(s.out, versionLine())
			return written(err)
		},
	}
}
