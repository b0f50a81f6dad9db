package cmd

import (
	"context"
	"time"
)

// shutdownTimeout is how long requests in flight have to finish. With it, a server ends
// within the 10 seconds that operators are promised.
const shutdownTimeout = 8 * time.Second

// drain gives load balancers time to notice that the server is no longer ready, while it
// still serves requests.
func (s *Server) drain(ctx context.Context, failed <-chan error) {
	s.draining.Store(true)
	if drain := s.cfg.drain(); drain > 0 && ctx.Err() != nil {
		s.log.Info().Dur("for", drain).Msg("told to stop, draining")
		select {
		case <-time.After(drain):
		case err := <-failed:
			s.log.Error().Err(err).Msg("serving ended before the drain did")
		}
	}
}
