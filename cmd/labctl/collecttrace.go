package main

import (
	"labctl/topology"
	"labctl/trace"
	"labctl/trace/lab"
)

// spanFile is a trace of the run, if one is wanted.
type spanFile struct {
	*sink
	recorder *lab.Recorder
}

// openSpans opens the file, or refuses it before anything is asked.
func openSpans(name string, t topology.Topology) (spanFile, error) {
	if name == "" {
		return spanFile{}, nil
	}
	out := output{file: name}
	k, err := out.open(streams{})
	if err != nil {
		return spanFile{}, err
	}
	return spanFile{k, lab.NewRecorder(trace.NewWriter(k.w), t)}, nil
}

// told is who is to be told of spans; nil: nobody.
func (f spanFile) told() func(topology.Span) {
	if f.recorder == nil {
		return nil
	}
	return f.recorder.Span
}

func (f spanFile) discard() {
	if f.sink != nil {
		f.sink.discard()
	}
}

func (f spanFile) commit() error {
	if f.sink == nil {
		return nil
	}
	if err := f.recorder.Close(); err != nil {
		return written(err)
	}
	return f.sink.commit()
}
