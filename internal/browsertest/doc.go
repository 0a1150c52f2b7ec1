// Package browsertest looks at what people look at, in a browser: the report as one
// file, the page of labctl ui, and that page as one file. It builds labctl and uses it
// from outside, as anybody would, and compares the numbers shown with those that the
// program prints.
//
// It is a module of its own, so that whoever builds labctl needs no browser driver, and
// it is tests alone. make browser runs them, make browser-deps installs what they need;
// without Chromium, or without axe-core, what needs it is skipped and says so.
//
// No test waits for a time: each waits for what the page shows. Times are logged and
// never judged, since they are the machine's.
package browsertest
