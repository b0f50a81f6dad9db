package moderation

import (
	"context"
	"encoding/json"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/permission"
)

// LinkView is a link in the content of a report.
type LinkView struct {
	URL        string  `json:"url"`
	Host       string  `json:"host"`
	Suspicious *string `json:"suspicious"`
	LinkCount
}

// LinkCount counts the other reports that contain a link.
type LinkCount struct {
	Reports int `json:"reports"`
	Upheld  int `json:"upheld"` // with the resolution action_taken
}

const mixedScript = "mixed_script"

// links returns the links of a snapshot, with the other reports that contain them and that the
// caller may see.
func (s *Service) links(ctx context.Context, c *permission.Caller, reportID string, snapshot json.RawMessage) ([]LinkView, error) {
	found := likeness.LinksOf(snapshot)
	views := make([]LinkView, len(found))
	if len(views) == 0 {
		return views, nil
	}
	counts, err := s.reports.LinkCounts(ctx, c.Coverage(permission.ViewReports), reportID, likeness.LinkKeys(found))
	if err != nil {
		return nil, err
	}
	for i, l := range found {
		views[i] = LinkView{URL: l.URL, Host: l.Host, LinkCount: counts[l.Key]}
		if l.Suspicious {
			views[i].Suspicious = new(mixedScript)
		}
	}
	return views, nil
}
