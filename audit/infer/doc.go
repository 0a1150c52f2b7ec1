// Package infer says what the trials of an audit mean: the retry policy behind them,
// and what to worry about. It is a pure function of what arrived, without clock,
// randomness or I/O, so that it can be tried on more policies than anybody could run.
//
// Use [Infer] once all trials are there, and [Jittered] after three trials of one
// probe, to learn whether the law of a jitter is worth thirty.
//
// # How the rests are read
//
// A gap is a rest and more (see package audit), so the median of the noise is taken
// off, its 99th percentile is the tolerance, and a value becomes a round one only from
// above: 1.004 s is 1 s, 0.98 s is not.
//
// Where gaps of one retry do not differ between trials beyond the noise, there is no
// jitter, and growth, factor and cap come from the shorter ones: whatever the machine
// adds makes a gap longer. Otherwise every law of jitter of package policy (Brooker,
// "Exponential Backoff And Jitter", AWS Architecture Blog, 2015) is fitted with every
// growth, with and without a cap, in both orders. All are uniform in a range, so the
// likelihood of a fit is that of the widths of its ranges, and its best parameters are
// the extremes of the gaps, as in the problem of the German tanks.
//
// Among fits the Bayesian information criterion chooses (Schwarz, "Estimating the
// Dimension of a Model", 1978), with the logarithm of the sample's size for each
// parameter and not half of it: an end of a range is known to 1/n, not to 1/√n. What
// people rarely write costs a little more. Four rivals stand for everything else: a range
// of its own for each retry, a nominal rest with a width added that does not grow, a
// normal distribution, and a few values. The confidence of a law is its posterior weight
// among all. What the best fit leaves must be uniform (Kolmogorov and Smirnov), else no
// law is named; nor is one where gaps are so short that they may be a program's own work.
//
// A rule without jitter has a rest more than it has numbers, or it would fit anything. A
// fault has rests of its own where they differ from the others' beyond chance (Mann and
// Whitney). A limit of the time needs calls that a number of attempts of each status does
// not explain as well.
//
// What the trials do not decide is listed in Policy.Undecided, in words.
package infer
