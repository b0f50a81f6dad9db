package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

// shellCommand writes what a package installs beside the binary.
type shellCommand struct {
	Bash shellBashCommand `cmd:"" help:"Write the completion of bash."`
	Zsh  shellZshCommand  `cmd:"" help:"Write the completion of zsh."`
	Fish shellFishCommand `cmd:"" help:"Write the completion of fish."`
	Man  shellManCommand  `cmd:"" help:"Write the manual page."`
}

type (
	shellBashCommand struct{}
	shellZshCommand  struct{}
	shellFishCommand struct{}
	shellManCommand  struct{}
)

// Run writes a function that offers commands and options, by the words before them.
func (shellBashCommand) Run(a *app, k *kong.Kong) error {
	return writeBash(a.stdout, k)
}

func writeBash(w io.Writer, k *kong.Kong) error {
	var cases strings.Builder
	for _, n := range commandNodes(k.Model.Node, "") {
		fmt.Fprintf(&cases, "\t'%s') words='%s' ;;\n", n.path, strings.Join(append(n.commands, n.options...), " "))
	}
	_, err := fmt.Fprintf(w, `_docket() {
	local path= words= word
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* ]] || path="$path $word"
	done
	case "${path# }" in
%s	*) words= ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
	[[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _docket docket
`, cases.String())
	return err
}

// Run writes the completion of bash for zsh, which can read it.
func (shellZshCommand) Run(a *app, k *kong.Kong) error {
	fmt.Fprint(a.stdout, "#compdef docket\nautoload -U +X bashcompinit && bashcompinit\n")
	return writeBash(a.stdout, k)
}

// Run writes a line for each command and option.
func (shellFishCommand) Run(a *app, k *kong.Kong) error {
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	for _, n := range commandNodes(k.Model.Node, "") {
		when := "__fish_use_subcommand"
		if n.path != "" {
			var seen []string
			for word := range strings.FieldsSeq(n.path) {
				seen = append(seen, "__fish_seen_subcommand_from "+word)
			}
			when = strings.Join(seen, "; and ")
		}
		for _, child := range n.node.Children {
			fmt.Fprintf(a.stdout, "complete -c docket -f -n %s -a %s -d %s\n", quote(when), child.Name, quote(child.Help))
		}
		for _, flag := range n.node.Flags {
			fmt.Fprintf(a.stdout, "complete -c docket -n %s -l %s -d %s\n", quote(when), flag.Name, quote(flag.Help))
		}
	}
	return nil
}

// Run writes the manual page in roff.
func (shellManCommand) Run(a *app, k *kong.Kong) error {
	_, err := fmt.Fprint(a.stdout, mangokong.NewManPage(1, k.Model).Build(roff.NewDocument()))
	return err
}

// A commandNode is a command with what may follow it.
type commandNode struct {
	path              string // its words, such as `audit verify`; "" for docket itself
	node              *kong.Node
	commands, options []string
}

// commandNodes are a command and all below it, without what is hidden.
func commandNodes(n *kong.Node, path string) []commandNode {
	here := commandNode{path: path, node: n, options: []string{"--help"}}
	var below []commandNode
	for _, child := range n.Children {
		if child.Hidden {
			continue
		}
		here.commands = append(here.commands, child.Name)
		below = append(below, commandNodes(child, strings.TrimSpace(path+" "+child.Name))...)
	}
	for _, flag := range n.Flags {
		if !flag.Hidden && flag.Name != "help" {
			here.options = append(here.options, "--"+flag.Name)
		}
	}
	return append([]commandNode{here}, below...)
}
