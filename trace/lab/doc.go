// Package lab puts what a run of the lab did into spans, as tracing would have recorded
// them: so that a trace can be looked at with the usual tools, and what is read off
// traces can be held against a result that is known.
package lab
