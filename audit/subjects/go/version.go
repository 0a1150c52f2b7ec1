package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// core is the part of the AWS SDK that holds its retries; services have versions of
// their own.
const core = "github.com/aws/aws-sdk-go-v2"

// version is that of a module in this binary, or of Go.
func version(module string) string {
	if module == "" {
		return runtime.Version()
	}
	if v := linked(core); len(module) > len(core) && module[:len(core)] == core {
		return fmt.Sprintf("%s (core %s)", linked(module), v)
	}
	return linked(module)
}

func linked(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}
	return "unknown"
}
