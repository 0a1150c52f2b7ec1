// Package subjects lists real clients and proxies to audit, and what an independent tail
// has seen them do.
//
// Use [All] to audit what is installed, and [Truth] to hold an audit against numbers that
// it did not make. Subjects that are no program by themselves, a library for instance,
// have a small one each in the folders go, node, python and java, which make subjects
// builds; all of these take the same arguments:
//
//	METHOD BODY KEY WARM-URL URL
//
// The package is data and lookups. It runs nothing but the command that tells a
// subject's version.
package subjects
