package infer

import (
	"fmt"
	"strconv"

	"labctl/audit"
)

// numbered keeps the products that agree with the numbers that attempts give themselves
// in a header, such as X-Envoy-Attempt-Count. One layer writes them, and each of its
// attempts is seen as often as the layers inside it repeat it. Numbers that are none of
// that say nothing, which is a doubt.
func numbered(hits []audit.Hit, among []Product) (kept []Product, doubt string) {
	numbers, said := attemptNumbers(hits)
	if !said {
		return among, ""
	}
	attempts, inner := 0, 0
	for _, n := range numbers {
		attempts = max(attempts, n)
	}
	for inner < len(numbers) && numbers[inner] == 1 {
		inner++
	}
	for i, n := range numbers {
		if inner == 0 || n != i/inner%attempts+1 {
			return among, "the numbers that attempts give themselves do not count them"
		}
	}
	for _, p := range among {
		in := innerOf(p)
		for l := range p {
			if in[l] == inner && p[l].Attempts == attempts {
				kept = append(kept, p)
				break
			}
		}
	}
	if len(kept) == 0 {
		doubt = fmt.Sprintf("the attempts of a layer number themselves up to %d, and %d hits are no multiple of that", attempts, len(hits))
	}
	return kept, doubt
}

// attemptNumbers reads them; an attempt without one is the first.
func attemptNumbers(hits []audit.Hit) (numbers []int, said bool) {
	for _, h := range hits {
		n, err := strconv.Atoi(h.Attempt)
		if err != nil || n < 1 || n > MaxFactored {
			n = 1
		} else if n > 1 {
			said = true
		}
		numbers = append(numbers, n)
	}
	return numbers, said
}
