package second

import "github.com/docketmod/docket/domain/report"

// MinKappa is the number of second opinions below which kappa is not meaningful.
const MinKappa = 30

// Agreement is how often two people decided the same.
type Agreement struct {
	N      int `json:"n"` // second opinions
	Agreed int `json:"agreed"`
	// Kappa is Cohen's kappa: the agreement beyond chance, given how often each person chose each outcome. It is 1 if
	// everybody agreed, and nil below MinKappa.
	Kappa *float64 `json:"kappa"`
}

// Tally counts pairs of decisions on the same thing.
type Tally struct {
	n, agreed     int
	first, second map[report.Resolution]int
}

// Add adds n pairs with these outcomes. If both cite different policies, agreed is false even for the
// same outcome.
func (t *Tally) Add(first, second report.Resolution, agreed bool, n int) {
	if t.first == nil {
		t.first, t.second = map[report.Resolution]int{}, map[report.Resolution]int{}
	}
	t.n += n
	t.first[first] += n
	t.second[second] += n
	if agreed {
		t.agreed += n
	}
}

// Agreement returns the figures of all added pairs.
func (t *Tally) Agreement() Agreement {
	a := Agreement{N: t.n, Agreed: t.agreed}
	if t.n < MinKappa {
		return a
	}
	n := float64(t.n)
	var byChance float64
	for _, resolution := range report.Resolutions { // in one order, so that the sum is the same each time
		byChance += float64(t.first[resolution]) / n * float64(t.second[resolution]) / n
	}
	kappa := 1.0
	if t.agreed < t.n {
		kappa = (float64(t.agreed)/n - byChance) / (1 - byChance)
		if byChance == 1 { // always the same outcome, by different policies
			kappa = 0
		}
	}
	a.Kappa = &kappa
	return a
}
