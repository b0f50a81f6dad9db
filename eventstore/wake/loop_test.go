package wake_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/wake"
)

func TestALoopPassesWhenWokenAndNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var passes []time.Duration
		loop := wake.NewLoop(time.Minute, time.Second)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			loop.Run(ctx, func(context.Context) { passes = append(passes, time.Since(begin)) })
		}()
		synctest.Wait()

		time.Sleep(10 * time.Second)
		loop.Wake()
		synctest.Wait()
		for range 5 {
			loop.Wake() // what comes at once is one pass
		}
		time.Sleep(time.Minute)
		stop()
		<-ended

		require.Equal(t, []time.Duration{0, 10 * time.Second, 11 * time.Second, 60 * time.Second}, passes)
	})
}
