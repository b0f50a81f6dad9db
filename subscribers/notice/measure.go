package notice

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Measure is the measure in a notice of a MeasureKind. In an ActionKind it has only Kind and Ends.
type Measure struct {
	Kind    measure.Kind
	Until   *time.Time  // of an imposed one; nil means without an end
	EndedBy measure.End // "" for an imposed one
	Ends    bool        // in an ActionKind: the request was to lift it

	// Standing are the measures in force for the author after the event: the latest end of each
	// kind, without warnings.
	Standing []measure.Standing
}

// ended reports whether the measure has ended.
func (m *Measure) ended() bool { return m.EndedBy != "" }

// beside returns the measures in force other than the notice's own.
func (m *Measure) beside() (all []measure.Standing) {
	for _, s := range m.Standing {
		same := s.Kind == m.Kind && (s.Until == nil) == (m.Until == nil) && (s.Until == nil || s.Until.Equal(*m.Until))
		if m.ended() || !same {
			all = append(all, s)
		}
	}
	return all
}

// tellMeasured notifies the authors of measures, if they have accounts.
func (s *Store) tellMeasured(ctx context.Context, tx pgx.Tx, events []event.Event) error {
	if len(events) == 0 {
		return nil
	}
	var plugins, authors []string
	for _, e := range events {
		about, err := event.Decode[event.Ended](e) // an event.Imposed names its author alike
		if err != nil {
			return err
		}
		plugins, authors = append(plugins, about.PluginID), append(authors, about.AuthorID)
	}
	var all []draft
	var n int
	var author uuid.UUID
	err := postgres.ForEach(ctx, tx, "find the authors of measures", []any{&n, &author}, func() error {
		all = append(all, draft{about: events[n-1], kind: MeasureKind, user: author})
		return nil
	}, `SELECT o.n, a.account FROM unnest($1::text[], $2::text[]) WITH ORDINALITY o (plugin, author, n)
		CROSS JOIN LATERAL core_author_account(o.plugin, o.author, $3::text) a (account) WHERE a.account IS NOT NULL ORDER BY o.n`,
		plugins, authors, s.Issuer)
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, all)
}

// selectMeasure selects a notice's measure, and those that stood after its event. It finds an author's measures by the
// index core_moderation_measures_author.
const selectMeasure = `CASE WHEN n.kind = 'measure' OR e.type = 'measure_pending' THEN p.payload::text END,
		CASE WHEN n.kind = 'measure' THEN (SELECT json_agg(f)::text FROM (
			SELECT m.kind, CASE WHEN bool_and(m.until IS NOT NULL) THEN max(m.until) END AS until FROM core_moderation_measures m
			WHERE m.author = p.payload -> 'author' ->> 'id' AND m.plugin_id = p.payload -> 'author' ->> 'pluginId' AND m.kind <> 'warn'
				AND m.imposed_at <= e.occurred_at AND (m.ended_at IS NULL OR m.ended_at > e.occurred_at) AND (m.until IS NULL OR m.until > e.occurred_at)
			GROUP BY m.kind ORDER BY m.kind) f) END`

// readMeasure returns the measure of selectMeasure's columns.
func readMeasure(payload, standing *string) (*Measure, error) {
	if payload == nil {
		return nil, nil
	}
	var m Measure
	var told struct {
		Kind  measure.Kind `json:"kind"`
		Until *time.Time   `json:"until"`
		By    measure.End  `json:"by"`
		Ends  bool         `json:"ends"`
	}
	if err := json.Unmarshal([]byte(*payload), &told); err != nil {
		return nil, err
	}
	m.Kind, m.Until, m.EndedBy, m.Ends = told.Kind, told.Until, told.By, told.Ends
	if standing == nil {
		return &m, nil
	}
	return &m, json.Unmarshal([]byte(*standing), &m.Standing)
}

// addMeasure adds the text of a notice about a measure.
func addMeasure(n Notice, title string, add func(key string, values ...string)) {
	m := n.Measure
	if m == nil { // the event is missing
		return
	}
	timed := func(key string, of measure.Standing) {
		if of.Until == nil {
			add(key+string(of.Kind), "title", title)
		} else {
			add(key+string(of.Kind)+".until", "title", title, "until", of.Until.UTC().Format(minute))
		}
	}
	if m.ended() {
		add("notice.measure.ended."+string(m.Kind), "title", title)
		add("notice.measure.ended_by." + string(m.EndedBy))
	} else {
		timed("notice.measure.", measure.Standing{Kind: m.Kind, Until: m.Until})
		addDecision(n, add)
	}
	beside := m.beside()
	for _, standing := range beside {
		timed("notice.measure.standing.", standing)
	}
	if m.ended() && len(beside) == 0 {
		add("notice.measure.standing.none")
	}
}

// minute is the layout of the time at which a measure ends.
const minute = "2006-01-02 15:04 UTC"
