package report

// Contents is all that a report's events fold to. Its zero value is that of a report without
// events.
type Contents struct {
	State   State
	Notes   map[string]Note   // by id
	Appeals map[string]Appeal // by id

	decision int // the sequence of the last decision
}

// Add folds the report's next event.
func (c *Contents) Add(e Event) {
	if c.Notes == nil {
		c.Notes, c.Appeals = map[string]Note{}, map[string]Appeal{}
	}
	c.State = Evolve(c.State, e)
	EvolveNotes(c.Notes, e)
	switch f := e.Fact.(type) {
	case *Resolved:
		c.decision = e.Sequence
	case *Appealed:
		c.Appeals[f.AppealID] = EvolveAppeal(Appeal{}, c.decision, e)
	case *AppealDecided:
		c.Appeals[f.AppealID] = EvolveAppeal(c.Appeals[f.AppealID], c.decision, e)
	case *AccountRemoved:
		for id, a := range c.Appeals {
			c.Appeals[id] = EvolveAppeal(a, c.decision, e)
		}
	}
}
