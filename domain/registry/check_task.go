package registry

import (
	"fmt"
	"regexp"

	"github.com/docketmod/docket/domain/schedule"
)

func (r *registration) checkTasks(p *Declaration) {
	fault := r.reporter(p)
	seen := places{}
	for i, t := range p.Tasks {
		path := fmt.Sprintf("tasks[%d]", i)
		at := fault.At(path)
		if !validTaskName(t.Name) {
			at("name", "a task is named by 1 to %d letters, digits, dots, dashes and underscores; %q is not", maxTaskName, t.Name)
		}
		seen.unique("task", t.Name, p.named(path), at, "name")
		if t.Run == nil {
			at("run", "a task needs its run function")
		}
	}
}

func (r *registration) checkJobs(p *Declaration) {
	fault := r.reporter(p)
	seen := places{}
	for i, j := range p.Jobs {
		path := fmt.Sprintf("jobs[%d]", i)
		at := fault.At(path)
		if !validTaskName(j.Name) {
			at("name", "a job is named by 1 to %d letters, digits, dots, dashes and underscores; %q is not", maxTaskName, j.Name)
		}
		if !validTaskName(j.ModuleName()) {
			at("module", "a module is named by 1 to %d letters, digits, dots, dashes and underscores; %q is not", maxTaskName, j.Module)
		}
		if j.Name != "" {
			seen.unique("job", j.ModuleName()+":"+j.Name, p.named(path), at, "name")
		}
		if _, err := schedule.Parse(j.Schedule); err != nil {
			at("schedule", "%v", err)
		}
		if j.Limit < 0 {
			at("limit", "the limit is negative")
		}
		if j.Run == nil {
			at("run", "a job needs its run function")
		}
	}
}

var taskName = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

func validTaskName(name string) bool {
	return len(name) <= maxTaskName && taskName.MatchString(name)
}
