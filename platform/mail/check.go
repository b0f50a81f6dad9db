package mail

import (
	"context"
	"fmt"
)

// Check connects and signs in as Send does, sends nothing, and reports why mail could not
// be sent.
func (s *Server) Check(ctx context.Context) error {
	client, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	defer func() { _ = client.Close() }() // Quit has closed it unless something failed
	if err := s.secure(client); err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	if err := client.Noop(); err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	_ = client.Quit()
	return nil
}
