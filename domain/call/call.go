// Package call calls functions of plugins: it recovers their panics, and lists those that still run when the server
// stops. Other modules must not import it.
package call

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Call is a call of a plugin's function that has not returned.
type Call struct {
	Kind  string // listener, task, job, action, or a read such as capture
	Name  string // of the function or of its owner
	Since time.Time
}

var running sync.Map // of *Call, in the whole process

// Safely calls a plugin's function and returns a panic as an error. It also calls the error's Error
// method, which could panic later where nothing recovers.
func Safely(kind, name string, do func() error) (err error) {
	c := &Call{kind, name, time.Now()} //nolint:forbidigo // how long it runs is told at the stop of this process
	running.Store(c, nil)
	defer running.Delete(c)
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	if err = do(); err != nil {
		_ = err.Error()
	}
	return err
}

// Running returns the calls of Safely that have not returned, the oldest first.
func Running() []Call {
	var calls []Call
	running.Range(func(c, _ any) bool {
		calls = append(calls, *c.(*Call))
		return true
	})
	slices.SortFunc(calls, func(a, b Call) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Name, b.Name)) })
	return calls
}
