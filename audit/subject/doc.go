// Package subject runs the command of a user, once for each trial, and leaves
// as little of it behind as the system allows.
//
// Use it where a program that nobody here knows is to be run many times side by side: it
// may fork, hang, ignore signals, print gigabytes or die, and [Run] still returns within
// its [Limits].
//
// # What a command finds
//
// Its standard input is empty and, on Unix, it has no terminal: it is in a session of its
// own, so that a password prompt fails instead of waiting, and Ctrl-C reaches the audit
// alone.
// Its environment is the user's, without the variables of proxies (HTTP_PROXY, NO_PROXY
// and their like): the address is one of loopback, and attempts that went through a proxy
// would be the proxy's. [Command.Env] can set them again. Files such as ~/.curlrc are
// read as ever: they are part of what the user runs.
//
// # What is ended
//
// When the command has ended, or its time is over, what it started is ended too, as far
// as the system can tell:
//
//	Linux       the process group, what left the group but not the session (a shell's
//	            jobs, timeout(1)), and daemons that still carry the mark, a variable
//	            [MarkVariable] in the environment. A program that has left the session and
//	            has cleared or overwritten its environment gets away.
//	other Unix  the process group. What left it lives on.
//	Windows     the command itself. What it started lives on.
//
// Work that a command leaves to a child in the background is cut off with its end: a
// trial lasts as long as its command does.
package subject
