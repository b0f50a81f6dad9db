package cmd

import (
	"context"
	"slices"

	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/queue"
)

// handleTasks registers a plugin's tasks with the queue.
func (s *Server) handleTasks(p *registry.Declaration) error {
	for _, t := range p.Tasks {
		run := func(ctx context.Context, a queue.Attempt) error {
			return t.Run(ctx, plugin.Attempt{TaskID: a.TaskID, Number: a.Number, Last: a.Last, Payload: a.Payload})
		}
		if err := s.queue.Handle(p.ID, t.Name, queue.Handler{Run: run}); err != nil {
			return err
		}
	}
	return nil
}

// handles reports whether a plugin of this server declares a task.
func (s *Server) handles(pluginID, task string) bool {
	return slices.ContainsFunc(s.plugins, func(p *registry.Declaration) bool {
		return p.ID == pluginID && slices.ContainsFunc(p.Tasks, func(t plugin.Task) bool { return t.Name == task })
	})
}

// pluginJobs are the plugins' scheduled jobs.
func (s *Server) pluginJobs() []cron.Job {
	var jobs []cron.Job
	for _, p := range s.plugins {
		for _, j := range p.Jobs {
			jobs = append(jobs, cron.Job{PluginID: p.ID, Module: j.ModuleName(), Name: j.Name,
				Description: j.Description, Schedule: j.Schedule, Limit: j.Limit, Run: j.Run})
		}
	}
	return jobs
}

// pluginAreas are the plugins' routes. They come before the public content, whose routes match
// every plugin id.
func pluginAreas(plugins []*Plugin) []http.Area {
	var areas []http.Area
	for _, p := range plugins {
		if len(p.Routes) > 0 {
			areas = append(areas, &http.PluginRoutes{PluginID: p.ID, Routes: p.Routes})
		}
	}
	return areas
}
