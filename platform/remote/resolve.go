package remote

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain"
)

type resolveQuestion struct {
	URL string `json:"url"`
}

// resolve asks the platform which content is at a public address.
func (p *Platform) resolve(ctx context.Context, address string) (targetType, id string, err error) {
	found, err := askFor(ctx, p, "resolve", resolveQuestion{address}, ReadResolved,
		http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed) // also for a platform that does not support the request
	return found.Type, found.ID, err
}

// Resolved is content at an address.
type Resolved struct{ Type, ID string }

// ReadResolved parses the response to `resolve` and returns every fault.
func ReadResolved(raw []byte) (Resolved, []domain.Issue) {
	f := &faults{}
	o := f.readObject("", raw)
	return Resolved{domain.OrEmpty(o.text("type", maxLine, true)), domain.OrEmpty(o.text("id", maxLine, true))}, f.issues
}
