package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/hold"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
)

// holdKind is the ledger's kind of legal holds, as platform/hold declares it.
const holdKind = "hold"

// heldPeriod is the content of a hold during a period.
type heldPeriod struct {
	hold.Hold
	from, to time.Time
}

// readHolds reads the history of holds from the ledger, independent of the table's present content.
func (r *auditRun) readHolds(ctx context.Context) error {
	last := map[string]*heldPeriod{} // by key
	return ledger.Each(ctx, r.Pool, func(record ledger.Record) error {
		if record.Kind != holdKind {
			return nil
		}
		before := last[record.Key]
		if record.Payload == nil { // an operator adopted the missing row
			if before != nil {
				before.to = earlier(before.to, record.At)
			}
			delete(last, record.Key)
			return nil
		}
		var signed struct {
			ID       string     `json:"id"`
			Reports  []string   `json:"reports"`
			Authors  []string   `json:"authors"`
			Until    time.Time  `json:"until"`
			SetAt    time.Time  `json:"set_at"`
			LiftedAt *time.Time `json:"lifted_at"`
		}
		if err := json.Unmarshal(record.Payload, &signed); err != nil {
			r.foundRecord(record, "its content cannot be read")
			return nil
		}
		now := &heldPeriod{Hold: hold.Hold{ID: signed.ID, Content: hold.Content{Reports: signed.Reports, Until: signed.Until}, Authors: signed.Authors,
			SetAt: signed.SetAt, LiftedAt: signed.LiftedAt}, from: signed.SetAt}
		now.to = now.EndsAt()
		if before != nil {
			now.from = record.At
			before.to = earlier(before.to, record.At)
			if before.LiftedAt == nil && now.LiftedAt != nil {
				before.to = earlier(before.to, *now.LiftedAt) // the ledger's clock may be ahead
			}
		}
		last[record.Key] = now
		r.holds = append(r.holds, now)
		return nil
	})
}

func earlier(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

// held returns a hold that protected the evidence of a report at a time, or nil.
func (r *auditRun) held(reportID, pluginID string, authors []string, at time.Time) *heldPeriod {
	for _, h := range r.holds {
		if !at.Before(h.from) && at.Before(h.to) && h.Covers(reportID, pluginID, authors) {
			return h
		}
	}
	return nil
}

// authored records the authors of the report's content. An erasure of the snapshot lists them.
func (s *stream) authored(r *eventstore.Record) {
	if len(s.run.holds) == 0 || r.Type != string(report.CreatedType) && r.Type != string(report.EvidenceErasedType) {
		return
	}
	e, err := r.Event()
	if err != nil {
		return // which is found elsewhere
	}
	switch f := e.Fact.(type) {
	case *report.Created:
		s.pluginID, s.authors = f.Target.PluginID, report.AuthorsOf(f.Words.Snapshot)
	case *report.EvidenceErased:
		s.authors = append(s.authors, f.Authors...)
	}
}

// breaches returns the erasures of the report that violated a hold.
func (s *stream) breaches() (all []Finding) {
	for _, e := range s.erasures {
		if h := s.run.held(s.chain.reportID, s.pluginID, s.authors, e.At); h != nil {
			all = append(all, Finding{ReportID: s.chain.reportID, Sequence: e.sequence, Problem: fmt.Sprintf(
				"it erases the words of sequences %s under the legal hold %s, which stood from %s until %s",
				ranges(e.Sequences), h.ID, h.from.UTC().Format(time.RFC3339), h.to.UTC().Format(time.RFC3339))})
		}
	}
	return all
}
