package rounds_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/rounds"
)

// held is rounds that stop where a test lets them go on.
func held(atOnce int) (r *rounds.Rounds[int, int], began chan []int, on chan error) {
	began, on = make(chan []int), make(chan error)
	r = &rounds.Rounds[int, int]{AtOnce: atOnce, Patience: time.Millisecond, Most: 100, Timeout: time.Minute, Do: func(_ context.Context, questions []int) ([]int, error) {
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
	return r, began, on
}

type answer struct {
	value int
	err   error
}

// ask asks in a goroutine of its own.
func ask(ctx context.Context, r *rounds.Rounds[int, int], question int) <-chan answer {
	c := make(chan answer, 1)
	go func() {
		value, err := r.Ask(ctx, question)
		c <- answer{value, err}
	}()
	return c
}

func TestWhoComesDuringARoundIsOfTheNext(t *testing.T) {
	t.Parallel()
	r, began, on := held(1)
	first := ask(t.Context(), r, 3)
	require.Equal(t, []int{3}, <-began)
	var later []<-chan answer
	for q := range 250 {
		later = append(later, ask(t.Context(), r, q))
	}
	require.Eventually(t, func() bool { return r.Waiting() == 250 }, 10*time.Second, time.Millisecond)
	on <- nil
	require.Equal(t, answer{9, nil}, <-first)
	for _, size := range []int{100, 100, 50} {
		require.Len(t, <-began, size)
		on <- nil
	}
	for q, c := range later {
		require.Equal(t, answer{q * q, nil}, <-c, "each has the answer to the own question")
	}

	t.Log("it begins anew after a rest")
	again := ask(t.Context(), r, 2)
	<-began
	on <- nil
	require.Equal(t, answer{4, nil}, <-again)
}

func TestNoRoundBeginsBesideOneThatTakesNoLongerThanPatience(t *testing.T) {
	t.Parallel()
	r, began, on := held(2)
	r.Patience = time.Hour
	one := ask(t.Context(), r, 1)
	<-began
	two := ask(t.Context(), r, 2)
	require.Eventually(t, func() bool { return r.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	select {
	case <-began:
		t.Fatal("a second round began")
	default:
	}
	on <- nil
	require.Equal(t, answer{1, nil}, <-one)
	require.Equal(t, []int{2}, <-began)
	on <- nil
	require.Equal(t, answer{4, nil}, <-two)
}

func TestOneRoundIsLeftOfTwo(t *testing.T) {
	t.Parallel()
	r, began, on := held(2)
	one := ask(t.Context(), r, 1)
	<-began
	two := ask(t.Context(), r, 2)
	<-began
	on <- nil
	select {
	case <-one:
		r.Patience = time.Hour // the other is under way, and alone
	case <-two:
		r.Patience = time.Hour
	}
	three := ask(t.Context(), r, 3)
	require.Eventually(t, func() bool { return r.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	on <- nil
	require.Equal(t, []int{3}, <-began)
	on <- nil
	require.Equal(t, answer{9, nil}, <-three)
}

func TestNoMoreRoundsAtOnceThanAllowed(t *testing.T) {
	t.Parallel()
	r, began, on := held(2)
	one := ask(t.Context(), r, 1)
	<-began
	two := ask(t.Context(), r, 2)
	<-began
	three := ask(t.Context(), r, 3)
	require.Eventually(t, func() bool { return r.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	select {
	case <-began:
		t.Fatal("a third round began")
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

func TestAnErrorIsOfItsRound(t *testing.T) {
	t.Parallel()
	r, began, on := held(1)
	failed := errors.New("no database")
	first := ask(t.Context(), r, 1)
	<-began
	second := ask(t.Context(), r, 2)
	require.Eventually(t, func() bool { return r.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	on <- failed
	require.ErrorIs(t, (<-first).err, failed)
	<-began
	on <- nil
	require.Equal(t, answer{4, nil}, <-second)
}

func TestWhoGoesLeavesTheRoundToTheOthers(t *testing.T) {
	t.Parallel()
	r, began, on := held(1)
	ctx, cancel := context.WithCancel(t.Context())
	gone := ask(ctx, r, 1)
	<-began
	cancel()
	require.ErrorIs(t, (<-gone).err, context.Canceled)
	stays := ask(t.Context(), r, 5)
	on <- nil
	<-began
	on <- nil
	require.Equal(t, answer{25, nil}, <-stays)
}

func TestARoundIsInTheTraceOfItsFirst(t *testing.T) {
	t.Parallel()
	type key struct{}
	r := &rounds.Rounds[int, any]{AtOnce: 1, Most: 100, Timeout: time.Minute, Do: func(ctx context.Context, _ []int) ([]any, error) {
		return []any{ctx.Value(key{})}, ctx.Err()
	}}
	value, err := r.Ask(context.WithValue(t.Context(), key{}, "trace"), 1)
	require.NoError(t, err)
	require.Equal(t, "trace", value)
}

func TestARoundIsBounded(t *testing.T) {
	t.Parallel()
	r := &rounds.Rounds[int, int]{AtOnce: 1, Most: 100, Timeout: time.Millisecond, Do: func(ctx context.Context, _ []int) ([]int, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	_, err := r.Ask(t.Context(), 1)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestApartNobodyFailsForAnother(t *testing.T) {
	t.Parallel()
	r, began, on := held(1)
	r.Apart = true
	failed := errors.New("no such thing")
	first := ask(t.Context(), r, 1)
	<-began
	two := ask(t.Context(), r, 2)
	require.Eventually(t, func() bool { return r.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	three := ask(t.Context(), r, 3)
	require.Eventually(t, func() bool { return r.Waiting() == 2 }, 10*time.Second, time.Millisecond)
	on <- failed
	require.ErrorIs(t, (<-first).err, failed, "there is nobody to be parted from")
	require.Equal(t, []int{2, 3}, <-began)
	on <- failed
	require.Equal(t, []int{2}, <-began)
	on <- failed
	require.Equal(t, []int{3}, <-began)
	on <- nil
	require.ErrorIs(t, (<-two).err, failed)
	require.Equal(t, answer{9, nil}, <-three)
}

func TestAnswersThatDoNotFitAreNobodys(t *testing.T) {
	t.Parallel()
	r := &rounds.Rounds[int, int]{AtOnce: 1, Most: 100, Timeout: time.Minute, Do: func(context.Context, []int) ([]int, error) { return nil, nil }}
	_, err := r.Ask(t.Context(), 1)
	require.ErrorContains(t, err, "0 answers to 1 questions")
}

func TestAPanicIsAnErrorOfItsRound(t *testing.T) {
	t.Parallel()
	r := &rounds.Rounds[int, int]{AtOnce: 1, Most: 100, Timeout: time.Minute, Do: func(_ context.Context, questions []int) ([]int, error) {
		return []int{6 / questions[0]}, nil
	}}
	_, err := r.Ask(t.Context(), 0)
	require.ErrorContains(t, err, "panic: runtime error: integer divide by zero")
	answer, err := r.Ask(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, 3, answer, "the next is answered")
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	r := &rounds.Rounds[int, int]{AtOnce: 2, Most: 100, Timeout: time.Minute, Do: func(_ context.Context, questions []int) ([]int, error) {
		return append([]int(nil), questions...), nil
	}}
	var wg sync.WaitGroup
	answers := make([]int, 64)
	for client := range answers {
		wg.Go(func() {
			for range 200 {
				got, err := r.Ask(t.Context(), client)
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
