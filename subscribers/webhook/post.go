package webhook

import (
	"context"
	"errors"
	"net/http"
)

// Post sends content to an address of the deployment's own, which is no
// subscription: once, under the same bounds as a delivery, and to no network that
// none may reach. Its error says why the content was not accepted; of the address it
// may name the host and its network address, and nothing else.
func (s *Store) Post(ctx context.Context, address, contentType, content string) error {
	r := s.sender.post(ctx, address, http.Header{"Content-Type": {contentType}}, content)
	if r.reason != "" {
		return errors.New(r.reason)
	}
	return nil
}
