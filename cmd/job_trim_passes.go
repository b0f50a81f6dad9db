package cmd

import (
	"context"
	"errors"
)

// trimPasses deletes expired passes, parkings and stored signals. Reports keep their own copy of signals.
func (s *Server) trimPasses(ctx context.Context) error {
	return errors.Join(s.reports.TrimPasses(ctx), s.reports.TrimSignals(ctx))
}
