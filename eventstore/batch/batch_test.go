package batch_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/batch"
)

// held returns a Batcher whose batches announce their questions on began and end with what
// the test sends on on.
func held(atOnce int) (b *batch.Batcher[int, int], began chan []int, on chan error) {
	began, on = make(chan []int), make(chan error)
	b = &batch.Batcher[int, int]{MaxConcurrent: atOnce, Patience: time.Millisecond, MaxSize: 100, Timeout: time.Minute, Run: func(_ context.Context, questions []int) ([]int, error) {
		began <- questions
		if err := <-on; err != nil {
			return nil, err
		}
		answers := make([]int, len(questions))
		for i, q := range questions {
			answers[i] = q * q
		}
		return answers, nil
	}}
	return b, began, on
}

type answer struct {
	value int
	err   error
}

// ask calls Do in a goroutine of its own.
func ask(ctx context.Context, b *batch.Batcher[int, int], question int) <-chan answer {
	c := make(chan answer, 1)
	go func() {
		value, err := b.Do(ctx, question)
		c <- answer{value, err}
	}()
	return c
}

func TestCallsDuringABatchJoinTheNext(t *testing.T) {
	t.Parallel()
	b, began, on := held(1)
	first := ask(t.Context(), b, 3)
	require.Equal(t, []int{3}, <-began)
	var later []<-chan answer
	for q := range 250 {
		later = append(later, ask(t.Context(), b, q))
	}
	require.Eventually(t, func() bool { return b.Waiting() == 250 }, 10*time.Second, time.Millisecond)
	on <- nil
	require.Equal(t, answer{9, nil}, <-first)
	for _, size := range []int{100, 100, 50} {
		require.Len(t, <-began, size)
		on <- nil
	}
	for q, c := range later {
		require.Equal(t, answer{q * q, nil}, <-c, "each caller gets the answer to its own question")
	}

	t.Log("it starts again when idle")
	again := ask(t.Context(), b, 2)
	<-began
	on <- nil
	require.Equal(t, answer{4, nil}, <-again)
}

func TestNoBatchStartsBesideAnotherBeforePatienceEnds(t *testing.T) {
	t.Parallel()
	b, began, on := held(2)
	b.Patience = time.Hour
	one := ask(t.Context(), b, 1)
	<-began
	two := ask(t.Context(), b, 2)
	require.Eventually(t, func() bool { return b.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	select {
	case <-began:
		t.Fatal("a second batch started")
	default:
	}
	on <- nil
	require.Equal(t, answer{1, nil}, <-one)
	require.Equal(t, []int{2}, <-began)
	on <- nil
	require.Equal(t, answer{4, nil}, <-two)
}

func TestOneLoopRemainsOfTwo(t *testing.T) {
	t.Parallel()
	b, began, on := held(2)
	one := ask(t.Context(), b, 1)
	<-began
	two := ask(t.Context(), b, 2)
	<-began
	on <- nil
	select {
	case <-one:
		b.Patience = time.Hour // the other batch still runs
	case <-two:
		b.Patience = time.Hour
	}
	three := ask(t.Context(), b, 3)
	require.Eventually(t, func() bool { return b.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	on <- nil
	require.Equal(t, []int{3}, <-began)
	on <- nil
	require.Equal(t, answer{9, nil}, <-three)
}

func TestConcurrentBatchesAreBounded(t *testing.T) {
	t.Parallel()
	b, began, on := held(2)
	one := ask(t.Context(), b, 1)
	<-began
	two := ask(t.Context(), b, 2)
	<-began
	three := ask(t.Context(), b, 3)
	require.Eventually(t, func() bool { return b.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	select {
	case <-began:
		t.Fatal("a third batch started")
	default:
	}
	on <- nil
	require.Equal(t, []int{3}, <-began)
	on <- nil
	on <- nil
	for i, c := range []<-chan answer{one, two, three} {
		require.Equal(t, answer{(i + 1) * (i + 1), nil}, <-c)
	}
}

func TestAnErrorStaysInItsBatch(t *testing.T) {
	t.Parallel()
	b, began, on := held(1)
	failed := errors.New("no database")
	first := ask(t.Context(), b, 1)
	<-began
	second := ask(t.Context(), b, 2)
	require.Eventually(t, func() bool { return b.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	on <- failed
	require.ErrorIs(t, (<-first).err, failed)
	<-began
	on <- nil
	require.Equal(t, answer{4, nil}, <-second)
}

func TestACallerThatGoesDoesNotEndTheBatch(t *testing.T) {
	t.Parallel()
	b, began, on := held(1)
	ctx, cancel := context.WithCancel(t.Context())
	gone := ask(ctx, b, 1)
	<-began
	cancel()
	require.ErrorIs(t, (<-gone).err, context.Canceled)
	stays := ask(t.Context(), b, 5)
	on <- nil
	<-began
	on <- nil
	require.Equal(t, answer{25, nil}, <-stays)
}

func TestABatchCarriesTheValuesOfItsFirstCaller(t *testing.T) {
	t.Parallel()
	type key struct{}
	b := &batch.Batcher[int, any]{MaxConcurrent: 1, MaxSize: 100, Timeout: time.Minute, Run: func(ctx context.Context, _ []int) ([]any, error) {
		return []any{ctx.Value(key{})}, ctx.Err()
	}}
	value, err := b.Do(context.WithValue(t.Context(), key{}, "trace"), 1)
	require.NoError(t, err)
	require.Equal(t, "trace", value)
}

func TestABatchEndsAtTimeout(t *testing.T) {
	t.Parallel()
	b := &batch.Batcher[int, int]{MaxConcurrent: 1, MaxSize: 100, Timeout: time.Millisecond, Run: func(ctx context.Context, _ []int) ([]int, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	_, err := b.Do(t.Context(), 1)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestAloneKeepsErrorsApart(t *testing.T) {
	t.Parallel()
	b, began, on := held(1)
	b.Alone = time.Minute
	failed := errors.New("no such thing")
	first := ask(t.Context(), b, 1)
	<-began
	two := ask(t.Context(), b, 2)
	require.Eventually(t, func() bool { return b.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	three := ask(t.Context(), b, 3)
	require.Eventually(t, func() bool { return b.Waiting() == 2 }, 10*time.Second, time.Millisecond)
	on <- nil
	require.Equal(t, answer{1, nil}, <-first)
	require.Equal(t, []int{2, 3}, <-began)
	on <- failed
	alone := []int{(<-began)[0], (<-began)[0]}
	require.ElementsMatch(t, []int{2, 3}, alone, "both run at once")
	on <- failed
	on <- nil
	got := []answer{<-two, <-three}
	require.Contains(t, got, answer{0, failed})
	require.NotEqual(t, got[0].err, got[1].err)
}

func TestAQuestionAloneHoldsUpNoBatch(t *testing.T) {
	t.Parallel()
	b, began, on := held(1)
	b.Alone = time.Minute
	slow := ask(t.Context(), b, 1)
	<-began
	on <- errors.New("a lock was waited for too long")
	require.Equal(t, []int{1}, <-began)
	other := ask(t.Context(), b, 2)
	require.Equal(t, []int{2}, <-began, "while the first runs by itself")
	on <- nil
	on <- nil
	require.Equal(t, answer{1, nil}, <-slow)
	require.Equal(t, answer{4, nil}, <-other)
}

func TestABatchThatTimesOutLeavesTimeToEachCaller(t *testing.T) {
	t.Parallel()
	b := &batch.Batcher[int, int]{MaxConcurrent: 1, MaxSize: 100, Timeout: time.Millisecond, Alone: time.Minute}
	b.Run = func(ctx context.Context, questions []int) ([]int, error) {
		if deadline, _ := ctx.Deadline(); time.Until(deadline) < time.Second {
			<-ctx.Done()
		}
		return questions, ctx.Err()
	}
	got, err := b.Do(t.Context(), 7)
	require.NoError(t, err)
	require.Equal(t, 7, got)
}

func TestNothingRunsAloneOnALostConnection(t *testing.T) {
	t.Parallel()
	b, began, on := held(1)
	b.Alone = time.Minute
	one := ask(t.Context(), b, 1)
	<-began
	on <- pgconn.ErrConnClosed
	require.ErrorIs(t, (<-one).err, pgconn.ErrConnClosed)
}

func TestAnswersMustMatchQuestions(t *testing.T) {
	t.Parallel()
	b := &batch.Batcher[int, int]{MaxConcurrent: 1, MaxSize: 100, Timeout: time.Minute, Run: func(context.Context, []int) ([]int, error) { return nil, nil }}
	_, err := b.Do(t.Context(), 1)
	require.ErrorContains(t, err, "the batch has 0 answers to 1 questions")
}

func TestAPanicStaysInItsBatch(t *testing.T) {
	t.Parallel()
	b := &batch.Batcher[int, int]{MaxConcurrent: 1, MaxSize: 100, Timeout: time.Minute, Run: func(_ context.Context, questions []int) ([]int, error) {
		return []int{6 / questions[0]}, nil
	}}
	_, err := b.Do(t.Context(), 0)
	require.ErrorContains(t, err, "panic: runtime error: integer divide by zero")
	answer, err := b.Do(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, 3, answer, "the next call is answered")
}

func TestManyCallersAtOnce(t *testing.T) {
	t.Parallel()
	b := &batch.Batcher[int, int]{MaxConcurrent: 2, MaxSize: 100, Timeout: time.Minute, Run: func(_ context.Context, questions []int) ([]int, error) {
		return append([]int(nil), questions...), nil
	}}
	var wg sync.WaitGroup
	answers := make([]int, 64)
	for client := range answers {
		wg.Go(func() {
			for range 200 {
				got, err := b.Do(t.Context(), client)
				if err != nil || got != client {
					return
				}
				answers[client]++
			}
		})
	}
	wg.Wait()
	for _, n := range answers {
		require.Equal(t, 200, n)
	}
}
