package cmd

import (
	"fmt"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

// manualCommand writes the manual page that packages install.
type manualCommand struct{}

// Run prints the page in roff.
func (manualCommand) Run(a *app, k *kong.Kong) error {
	_, err := fmt.Fprint(a.stdout, mangokong.NewManPage(1, k.Model).Build(roff.NewDocument()))
	return err
}
