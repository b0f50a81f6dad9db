package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/remote"
)

type pluginTryCommand struct {
	File string `arg:"" help:"Manifest of a plugin whose content a platform holds."`
	Type string `help:"Only this type." placeholder:"T"`
	ID   string `help:"The id of a piece of content." default:"1" placeholder:"ID"`
}

// Run asks the platform every question but actions and prints each answer with its faults.
func (c *pluginTryCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	plugins := readManifests([]string{c.File})
	if err := registry.Check(plugins...); err != nil {
		return err
	}
	a.printNotKept(plugins)
	faults, tried := 0, 0
	for _, p := range plugins {
		if p.Remote == nil {
			continue
		}
		secret := a.variable(p.Remote.SecretEnv)
		if secret == "" {
			return fmt.Errorf("the environment variable %s with the secret is not set", p.Remote.SecretEnv)
		}
		platforms := remote.New(remote.Settings{Log: zerolog.Nop(), AllowPrivate: cfg.WebhookAllowPrivate, Locale: defaultLocale})
		platforms.Connect(p.ID, *p.Remote, secret)
		platform := platforms.All()[0]
		for i := range p.RemoteTypes {
			if t := &p.RemoteTypes[i]; c.Type == "" || c.Type == t.ID {
				tried++
				faults += a.printTrials(t.ID, platform.Try(ctx, t, c.ID))
			}
		}
		for i := range p.RemoteFamilies {
			if f := &p.RemoteFamilies[i]; c.Type == "" {
				tried++
				faults += a.printTrials(f.ID, platform.TryFamily(ctx, f))
			}
		}
	}
	switch {
	case tried == 0:
		return usageError{errors.New("the manifest has no such remote type")}
	case faults > 0:
		return fmt.Errorf("%s in the answers", counted(faults, "fault"))
	}
	return nil
}

// maxPrinted is how much of an answer is printed, in bytes.
const maxPrinted = 4000

// printTrials prints answers and returns the number of their faults.
func (a *app) printTrials(about string, trials []remote.Trial) (faults int) {
	for _, t := range trials {
		status := "no answer"
		if t.Status != 0 {
			status = fmt.Sprint(t.Status)
		}
		fmt.Fprintf(a.stdout, "%s %s: %s\n", t.Path, about, status)
		if body := strings.TrimSpace(t.Body); body != "" {
			fmt.Fprintf(a.stdout, "  %s\n", strings.ReplaceAll(body[:min(len(body), maxPrinted)], "\n", "\n  "))
		}
		for _, fault := range t.Faults {
			fmt.Fprintf(a.stdout, "  fault: %s\n", fault)
		}
		faults += len(t.Faults)
	}
	return faults
}
