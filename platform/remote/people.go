package remote

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/target"
)

// measureQuestion requests a measure on an author, or its end. The author's id is that in the snapshot, which is the
// platform's own unless the snapshot names an account of Docket.
type measureQuestion struct {
	MeasureID string             `json:"measureId"`
	Author    person             `json:"author"`
	Kind      target.MeasureKind `json:"kind"`
	Until     *string            `json:"until"` // null without an end
	ReportID  string             `json:"reportId"`
	At        string             `json:"at"`
}

var measureKinds = []target.MeasureKind{target.Warn, target.Restrict, target.Suspend, target.Terminate}

// endPath is the path for lifting a measure. The path for carrying one out is its kind.
const endPath = "people/end"

// measure requests a measure or its end from the platform, as act does.
func (p *Platform) measure(ctx context.Context, r target.RemoteMeasure) (target.RemoteResult, error) {
	author := person{ID: r.AuthorID, Subject: &r.AuthorID}
	if uuid.Validate(r.AuthorID) == nil {
		known, err := p.person(ctx, r.AuthorID)
		if err != nil {
			return target.RemoteResult{}, err
		}
		if known.Subject != nil {
			author = known
		}
	}
	q := measureQuestion{MeasureID: r.MeasureID, Author: author, Kind: r.Kind, ReportID: r.ReportID, At: written(r.At)}
	if r.Until != nil {
		q.Until = new(written(*r.Until))
	}
	path := "people/" + string(r.Kind)
	if r.Ends {
		path = endPath
	}
	return p.request(ctx, "measure", path, r.MessageID, q)
}

func written(t time.Time) string { return t.UTC().Format(domain.TimeLayout) }
