package remote

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain"
)

type resolveQuestion struct {
	URL string `json:"url"`
}

// resolve asks which content of the platform is at a public address.
func (p *Platform) resolve(ctx context.Context, address string) (targetType, id string, err error) {
	found, err := askFor(ctx, p, "resolve", resolveQuestion{address}, ReadResolved,
		http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed) // also of a platform that does not know the question
	return found.Type, found.ID, err
}

// Resolved is content at an address.
type Resolved struct{ Type, ID string }

// ReadResolved reads the answer to the question `resolve` and returns every fault.
func ReadResolved(raw []byte) (Resolved, []domain.Issue) {
	f := &faults{}
	o := f.readObject("", raw)
	return Resolved{domain.OrEmpty(o.text("type", maxLine, true)), domain.OrEmpty(o.text("id", maxLine, true))}, f.issues
}
