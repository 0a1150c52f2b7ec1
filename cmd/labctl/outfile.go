package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// sink takes a result to stdout or to a file. A file appears under its name only
// when it is complete, so that an old result is never half overwritten, and one
// that cannot be written is refused before anything runs.
type sink struct {
	w         io.Writer // not embedded: renderers ask whether it is a terminal
	shown     string    // the name as the user gave it; empty: stdout
	name      string    // behind symbolic links
	temporary *os.File  // renamed to name; nil where name is written directly
	direct    *os.File  // a pipe or a device
}

func (o *output) open(s streams) (*sink, error) {
	if o.file == "" || o.file == "-" {
		return &sink{w: s.out}, nil
	}
	k, err := openSink(o.file)
	if err != nil {
		return nil, environment(fmt.Errorf("cannot write %s: %w", o.file, err))
	}
	return k, nil
}

func openSink(file string) (*sink, error) {
	k := &sink{shown: file, name: file}
	// A link stays a link: what it points to is replaced.
	if target, err := filepath.EvalSymlinks(file); err == nil {
		k.name = target
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(k.name); err == nil {
		if info.IsDir() {
			return nil, fmt.Errorf("it is a folder: name a file in it")
		}
		// Opening says whether the old file may be written, which a rename over
		// it would not ask.
		old, err := os.OpenFile(k.name, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("%w: choose another file", unwrapPath(err))
		}
		if !info.Mode().IsRegular() {
			k.w, k.direct = old, old
			return k, nil
		}
		old.Close()
		mode = info.Mode().Perm()
	}
	if err := k.createTemporary(mode); err != nil {
		return nil, fmt.Errorf("%w: choose a folder that exists and is yours", unwrapPath(err))
	}
	return k, nil
}

// createTemporary makes the file with the rights of an ordinary new one, which
// os.CreateTemp does not.
func (k *sink) createTemporary(mode os.FileMode) error {
	if os.IsPathSeparator(k.name[len(k.name)-1]) {
		return os.ErrNotExist // a folder was meant, and it is not there
	}
	name := filepath.Join(filepath.Dir(k.name), ".labctl-"+strconv.FormatUint(rand.Uint64(), 36))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	k.w, k.temporary = f, f
	return nil
}

// commit gives the finished file its name.
func (k *sink) commit() error {
	var err error
	switch {
	case k.direct != nil:
		err = k.direct.Close()
	case k.temporary != nil:
		if err = k.temporary.Close(); err == nil {
			err = os.Rename(k.temporary.Name(), k.name)
		}
	}
	if err != nil {
		return environment(fmt.Errorf("cannot write %s: %w", k.shown, unwrapPath(err)))
	}
	return nil
}

// discard removes what was not committed; after a commit there is nothing left
// to remove.
func (k *sink) discard() {
	if k.temporary != nil {
		k.temporary.Close()
		os.Remove(k.temporary.Name())
	}
	if k.direct != nil {
		k.direct.Close()
	}
}
