package cmd

import (
	"context"
	nethttp "net/http"
	"sync"
	"time"

	"github.com/docketmod/docket/domain/call"
)

// shutdownTimeout is how long requests and background work have to finish. The database must be
// closed within the 10 seconds that the documentation promises.
const shutdownTimeout = 7 * time.Second

// drain serves requests for a while after it marked the server as not ready, so that load balancers
// notice.
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

// finish waits for requests and background work until the deadline, and logs what still runs. Open
// transactions are rolled back when the process ends.
func (s *Server) finish(web *nethttp.Server, tasks *sync.WaitGroup) error {
	deadline, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	var err error
	if web.Shutdown(deadline) != nil {
		s.log.Warn().Msg("requests did not finish in time")
		err = web.Close()
	}
	s.await(deadline, tasks)
	return err
}

// await waits for background work until the deadline, and logs what still runs.
func (s *Server) await(deadline context.Context, tasks *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		tasks.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-deadline.Done():
		s.log.Warn().Msg("background work did not finish in time")
	}
	for _, left := range call.Running() {
		s.log.Warn().Str("kind", left.Kind).Str("name", left.Name).Dur("for", time.Since(left.Since)).Msg("the server ends while this runs")
	}
}
