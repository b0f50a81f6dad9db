// Package doctor checks the health of a deployment: settings, database, clock, servers, mail, broker, identity, audit
// folder, proxy, jobs and backups. Each finding names its remedy. Other modules must not import it.
package doctor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Level is the severity of a finding.
type Level string

// The levels, the worst first.
const (
	Fault   Level = "fault"   // something does not work, or is not safe
	Warning Level = "warning" // something will not work some day, or not for everybody
	OK      Level = "ok"
	Off     Level = "off" // not configured or not done yet, which is no fault
)

var levels = []Level{Fault, Warning, OK, Off}

// Code names a kind of finding, for programs and translations.
type Code string

// A Finding is the outcome of a check.
type Finding struct {
	Check  string // such as `database`
	Level  Level
	Code   Code   // such as `unreachable`; "" if nothing is wrong
	Detail string // what was observed; it contains no secret
	Advice string // the remedy; "" if nothing is wrong
}

// A Check checks one thing. It returns at least one finding, and never an error: if it cannot
// check, that is a finding.
type Check struct {
	Name string
	Run  func(ctx context.Context) []Finding
}

// timeout bounds each check.
const timeout = 8 * time.Second

// Examine runs the checks concurrently and returns their findings in the order of the checks.
func Examine(ctx context.Context, checks ...Check) []Finding {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found := make([][]Finding, len(checks))
	var running sync.WaitGroup
	for i, c := range checks {
		running.Go(func() {
			found[i] = c.Run(ctx)
			for j := range found[i] {
				found[i][j].Check = c.Name
			}
		})
	}
	running.Wait()
	return slices.Concat(found...)
}

// Worst returns the worst level of the findings.
func Worst(findings []Finding) Level {
	worst := Off
	for _, f := range findings {
		if slices.Index(levels, f.Level) < slices.Index(levels, worst) {
			worst = f.Level
		}
	}
	return worst
}

// fine, off and bad each return one finding: of the levels OK and Off, and of the given level.
func fine(format string, args ...any) []Finding {
	return []Finding{{Level: OK, Detail: fmt.Sprintf(format, args...)}}
}

func off(detail string) []Finding { return []Finding{{Level: Off, Detail: detail}} }

func bad(level Level, code Code, detail, advice string) []Finding {
	return []Finding{{Level: level, Code: code, Detail: detail, Advice: advice}}
}
