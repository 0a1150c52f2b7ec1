// Package proxy has ready recipes for the proxies that people run: it writes a
// configuration for one and starts it in front of something, usually a tail.
//
// Use it to learn what a proxy of this machine does with faults, or what a client and a
// proxy do together:
//
//	recipe, options, err := proxy.Parse("nginx:statuses,max-fails=0")
//	running, err := proxy.Start(ctx, recipe, proxy.Setup{Upstreams: []string{"127.0.0.1:8080"}, Options: options})
//	defer running.Stop()
//
// # What a recipe says
//
// Without options a proxy does what it does out of the box. What matters for retries is
// in the written files, with a comment beside it that says what it means, and so is what
// is left out because it is the default. The options have one vocabulary over all
// recipes, as far as their programs have such a thing: retries=3 are three attempts after
// the first, whether the program counts retries or tries. [Recipe.Options] lists those
// of a recipe.
//
// Caches, health checks and logs are off: each request is to reach the tail, and nothing
// else is.
//
// # What it leaves behind
//
// Nothing. Files go to a temporary folder; the program stays in the foreground, listens
// on 127.0.0.1 and ends with [Running.Stop], with all of its workers. On Linux it ends too
// when the process that started it is killed, except for a worker of Apache, which outlives
// its killed parent.
//
// # One proxy, one question
//
// A proxy may remember: nginx leaves out a server that failed, for 10 s. What it did with one
// fault changes what it does with the next, so start one for each, or set max-fails=0 where
// that is not what you want to know.
package proxy
