// Package manifesttest holds what labctl export writes against what will read it: the
// golden files of topology/export are decoded strictly into the types of the
// Kubernetes API, checked against the API's schemas as kubectl-validate does, judged by
// the code of the Pod Security admission controller, and loaded by compose-go. Some
// rules of a security review that none of these knows are in rules_test.go, each with
// where it comes from.
//
// It is a module of its own, so that whoever builds labctl needs nothing of Kubernetes,
// and it is tests alone. make manifests runs them, and says so where the modules cannot
// be fetched.
//
// The modules of Kubernetes are of 1.30, the newest that kubectl-validate goes with.
// All fields that the manifests use are older, or still as they were.
package manifesttest
