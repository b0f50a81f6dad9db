package live

import (
	"encoding/json"
	"fmt"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// Frame is one server-sent event, encoded once and shared by all its receivers.
type Frame struct {
	position int64 // in the log; for presence, that of the event before it
	bytes    []byte
	report   string
	about    subject
}

// subject is what grants need to know about a frame's report.
type subject struct {
	plugin, module string
	resource       scope.Resource
	kind, target   string // of the report's target
}

func (s subject) coveredBy(c permission.Coverage) bool {
	return c.Covers(s.plugin, s.module, s.resource) && !c.Blind.Hides(s.plugin, s.kind, s.target)
}

// change is the data of a frame for an event of the log: the report after the event.
type change struct {
	ReportID   string  `json:"reportId"`
	Sequence   int     `json:"sequence"`
	Version    int     `json:"version"`
	Status     string  `json:"status"`
	AssigneeID *string `json:"assigneeId"`
}

// presence is the data of a `presence` frame: everybody who has the report open now.
type presence struct {
	ReportID string   `json:"reportId"`
	Viewers  []Viewer `json:"viewers"`
}

// Viewer is somebody who has a report open.
type Viewer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// write encodes a server-sent event. With an empty id, the receiver's last id stays. The data is
// JSON, which contains no line break that would end the field.
func write(id, event string, data any) ([]byte, error) {
	encoded, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("write %s frame: %w", event, err)
	}
	var b []byte
	if id != "" {
		b = fmt.Appendf(b, "id: %s\n", id)
	}
	return fmt.Appendf(b, "event: %s\ndata: %s\n\n", event, encoded), nil
}
