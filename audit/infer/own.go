package infer

import "labctl/audit"

// ownGaps are those of the question that was asked most often. Where that is not
// three times, all that agree with it in the number of attempts are taken together.
func (c *inquiry) ownGaps() *table {
	chosen := c.gapQuestion()
	if chosen == nil {
		return &table{}
	}
	c.readFrom = chosen.Fault.Name
	all := c.gapsOf(chosen)
	if len(chosen.trials) >= 3 || chosen.Fault.Group != audit.Status {
		return all
	}
	for _, q := range c.questions {
		if q != chosen && c.plainly(q) && q.most() == chosen.most() {
			all.rows = append(all.rows, c.gapsOf(q).rows...)
		}
	}
	return all
}

// plainly reports whether the rests of a question are the subject's own.
func (c *inquiry) plainly(q *question) bool {
	return q.Fault.Group == audit.Status && q.isPrimary(c) && q.retried() && q.Fault.Name != redirectLoop
}

func (c *inquiry) gapQuestion() *question {
	var chosen *question
	better := func(q *question) bool {
		return chosen == nil || len(q.trials) > len(chosen.trials) ||
			len(q.trials) == len(chosen.trials) && q.most() > chosen.most()
	}
	consider := func(questions []*question) {
		for _, q := range questions {
			if q.retried() && q.replays == 0 && q.Fault.Name != redirectLoop && !q.resumed() && better(q) {
				chosen = q
			}
		}
	}
	if q := c.on("503"); q != nil {
		consider([]*question{q})
	}
	consider(c.asked(audit.Status))
	if chosen == nil {
		consider(c.asked(audit.Transport))
	}
	return chosen
}
