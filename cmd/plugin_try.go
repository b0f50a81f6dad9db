package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/platform/remote"
)

type pluginTryCommand struct {
	File string `arg:"" help:"Manifest of a plugin whose content a platform holds."`
	Type string `help:"Only this type." placeholder:"T"`
	ID   string `help:"The id of a piece of content." default:"1" placeholder:"ID"`
}

// Run calls the platform with every request except actions, and the signal providers with what it captured,
// and prints each answer with its faults. Providers for content in tables get an example.
func (c *pluginTryCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	plugins := readManifests([]string{c.File})
	if err := registry.Check(plugins...); err != nil {
		return err
	}
	a.printNotes(registry.NotKept(plugins...))
	faults, tried := 0, 0
	var types []string
	for _, p := range plugins {
		types = append(types, p.TypeIDs()...)
		platforms := remote.New(remote.Settings{Log: zerolog.Nop(), AllowPrivate: cfg.WebhookAllowPrivate, Locale: defaultLocale})
		var providers []*remote.Provider
		for _, one := range p.Providers {
			secret, err := a.sharedSecret(one.SecretEnv)
			if err != nil {
				return err
			}
			providers = append(providers, platforms.OpenProvider(p.ID, one, remote.Secret{Text: secret}))
		}
		if p.Remote == nil { // its tables are not read
			for _, t := range p.TypeIDs() {
				for _, one := range providers {
					if c.Type == "" || c.Type == t {
						tried++
						faults += a.printTrials(t, []remote.Trial{one.Try(ctx, snapshot.Target{PluginID: p.ID, Type: t, ID: c.ID}, exampleFor(one))})
					}
				}
			}
			continue
		}
		secret, err := a.sharedSecret(p.Remote.SecretEnv)
		if err != nil {
			return err
		}
		platform := platforms.Open(p.ID, *p.Remote, remote.Secret{Text: secret})
		family := ""
		for i := range p.RemoteTypes {
			if t := &p.RemoteTypes[i]; c.Type == "" || c.Type == t.ID {
				tried++
				family = t.Family()
				if _, ok := t.Key.Kind.Parse(c.ID); !ok { // a report of it could not be filed
					faults++
					fmt.Fprintf(a.stdout, "%s: not asked\n  fault: %q is not an id of kind %s: give one with --type and --id\n", t.ID, c.ID, t.Key.Kind)
					continue
				}
				faults += a.printTrials(t.ID, platform.Try(ctx, t, c.ID, providers...))
			}
		}
		for i := range p.RemoteFamilies {
			if f := &p.RemoteFamilies[i]; c.Type == "" || f.ID == family {
				tried++
				faults += a.printTrials(f.ID, platform.TryFamily(ctx, f))
			}
		}
	}
	switch {
	case tried == 0:
		return usageError{fmt.Errorf("there is nothing to ask about %s: the manifest's types are %s, and those in tables are only told to providers", cmp.Or(c.Type, "any type"), cmp.Or(strings.Join(types, ", "), "none"))}
	case faults > 0:
		return fmt.Errorf("%s in the answers", counted(faults, "fault"))
	}
	return nil
}

// sharedSecret returns the secret in a variable that the manifest names.
func (a *app) sharedSecret(name string) (string, error) {
	secret := a.variable(name)
	switch {
	case secret == "":
		return "", fmt.Errorf("the environment variable %s with the secret is not set", name)
	case !registry.ValidSecret(secret):
		return "", fmt.Errorf("the environment variable %s holds no secret of the form whsec_ and 24 to 64 bytes in base64", name)
	}
	return secret, nil
}

// exampleFor returns example content for a provider whose content comes from no platform.
func exampleFor(p *remote.Provider) (c snapshot.Capture) {
	names := p.Fields
	if names == nil {
		names = []string{"text"}
	}
	for _, name := range names {
		c.Fields = append(c.Fields, snapshot.Field{Name: name, Kind: snapshot.KindText, Value: json.RawMessage(`"An example with a link: https://example.com/"`)})
	}
	return c
}

// maxPrinted is how much of an answer is printed, in bytes.
const maxPrinted = 4000

// forTerminal replaces what a terminal might obey.
func forTerminal(r rune) rune {
	switch {
	case r == '\r':
		return -1
	case unicode.IsPrint(r), r == '\n', r == '\t':
		return r
	}
	return unicode.ReplacementChar
}

// printTrials prints answers and returns the number of their faults.
func (a *app) printTrials(about string, trials []remote.Trial) (faults int) {
	for _, t := range trials {
		status := "no answer"
		if t.Status != 0 {
			status = fmt.Sprint(t.Status)
		}
		fmt.Fprintf(a.stdout, "%s %s: %s\n", t.Path, about, status)
		if body := strings.TrimSpace(t.Body); body != "" {
			body = strings.Map(forTerminal, body[:min(len(body), maxPrinted)])
			fmt.Fprintf(a.stdout, "  %s\n", strings.ReplaceAll(body, "\n", "\n  "))
		}
		for _, fault := range t.Faults {
			fmt.Fprintf(a.stdout, "  fault: %s\n", fault)
		}
		faults += len(t.Faults)
	}
	return faults
}
