// Package docstest keeps Markdown pages true: it runs the commands that a page
// shows and compares what they print with what the page says they print. Use it
// from a test that has the program in its PATH.
//
// What a page holds, by the first words of a fenced block:
//
//	```console       a session: lines behind "$ " are run by sh, one after the
//	                 other in a folder of the page's own, lines behind "> " go on
//	                 with the command, and what follows is its output, stdout and
//	                 stderr together. A last line "(exit code 1)" stands for
//	                 itself. A session that takes long is marked console slow,
//	                 and run where [Page.Slow] asks for it.
//	```yaml a.yaml   a file: with a second word the block is written under that
//	                 name before the commands below it are run.
//	```go x/y_test.go a part of a file of the module, which it has to be found in,
//	                 so that what compiles and tests that file does it for the page.
//
// In an output, "…" on a line of its own stands for any lines, and within a line
// for any text. A command for which [Page.Live] is true ran against the clock:
// there times, the widths of columns and the bars of histograms are not compared.
//
// An update rewrites outputs that a page shows whole. Where "…" leaves something
// out, what to show is the author's decision, and so it stays.
package docstest
