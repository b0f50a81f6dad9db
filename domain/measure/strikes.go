package measure

import "time"

// Decision is a decision to take action against an author's content, for a rule that gives strikes.
type Decision struct {
	// ID is shared by decisions on several reports that were made together.
	ID        string
	DecidedAt time.Time
	EndedAt   *time.Time // when it was overturned or replaced; nil while it stands
	Strikes   int        // of the cited version of the policy
	Days      int        // for which they count
}

// StandsAt reports whether the decision was made and not replaced by the time at.
func (d *Decision) StandsAt(at time.Time) bool {
	return !d.DecidedAt.After(at) && (d.EndedAt == nil || d.EndedAt.After(at))
}

// counts reports whether the strikes of the decision, if it stands, count at a time.
func (d *Decision) counts(at time.Time) bool {
	return !d.DecidedAt.After(at) && d.DecidedAt.Add(time.Duration(d.Days)*Day).After(at)
}

// StrikesAt returns the strikes of an author at a time: the sum over the decisions that stood and
// counted then, each once.
func StrikesAt(decisions []Decision, at time.Time) int {
	return sum(decisions, func(d *Decision) bool { return d.StandsAt(at) && d.counts(at) })
}

// StrikesBehind returns the strikes that support a measure: those of the decisions that stand now
// and counted when it was imposed, or count now. Expiry does not reduce them, but an overturned
// decision does.
func StrikesBehind(decisions []Decision, imposed, now time.Time) int {
	return sum(decisions, func(d *Decision) bool { return d.StandsAt(now) && (d.counts(imposed) || d.counts(now)) })
}

func sum(decisions []Decision, counts func(*Decision) bool) (total int) {
	seen := map[string]bool{}
	for i := range decisions {
		if d := &decisions[i]; counts(d) && !seen[d.ID] {
			seen[d.ID] = true
			total += d.Strikes
		}
	}
	return total
}
