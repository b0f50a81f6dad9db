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
	err = p.ask(ctx, "resolve", "", resolveQuestion{address}, func(a exchange) error {
		switch a.status {
		case http.StatusOK:
			var issues []domain.Issue
			targetType, id, issues = ReadResolved(a.body)
			return (&faults{issues}).err()
		case http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed: // also of a platform that does not know the question
			return nil
		}
		return wrong("answered %d", a.status)
	})
	return targetType, id, err
}

// ReadResolved reads the answer to the question `resolve` and returns every fault.
func ReadResolved(raw []byte) (targetType, id string, issues []domain.Issue) {
	f := &faults{}
	o := f.readObject("", raw)
	targetType, id = domain.OrEmpty(o.text("type", maxLine, true)), domain.OrEmpty(o.text("id", maxLine, true))
	return targetType, id, f.issues
}
