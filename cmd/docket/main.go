// Docket is a moderation service; this is its one binary. Each command has a
// file, and this package is the one place where parts are wired together.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
)

// Exit statuses (contract section 10).
const (
	exitSuccess = 0
	exitFailure = 1
	exitUsage   = 2
)

// commands is the command line. A command is a field here and a file of its own
// that declares the field's type, whose method Run(context.Context, *app) error
// does it.
type commands struct {
	Serve       serveCommand       `cmd:"" help:"Serve the API and the control panel."`
	Demo        demoCommand        `cmd:"" help:"Serve a forum to moderate, with accounts to try."`
	Migrate     migrateCommand     `cmd:"" help:"Apply, revert or list database migrations."`
	User        userCommand        `cmd:"" help:"Make and delete accounts."`
	Token       tokenCommand       `cmd:"" help:"Make, list and revoke API tokens."`
	Plugin      pluginCommand      `cmd:"" help:"Check plugin manifests."`
	Replay      replayCommand      `cmd:"" help:"Print a report as it stood at any moment."`
	Audit       auditCommand       `cmd:"" help:"Check, attest, prove and export the log."`
	Erase       eraseCommand       `cmd:"" help:"Erase what people wrote, and keep the proof of what was done."`
	Projections projectionsCommand `cmd:"" help:"Compare, rebuild and watch the read models."`
	Version     versionCommand     `cmd:"" help:"Print the version."`
}

const description = `Content reports and a moderator queue, on an event log.

Settings come from the environment; without DATABASE_URL a private PostgreSQL is kept in DOCKET_DATA_DIR.`

// app is what every command is given.
type app struct {
	environment    map[string]string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// reserveBytes count as memory that lives, so that garbage is collected when there is
// as much of it as lives and these 24 MB, not every few requests: an idle server holds
// 5 MB. They are never written, and so take no memory.
const reserveBytes = 24 << 20

func main() {
	reserve := make([]byte, reserveBytes)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	a := &app{environment: environment(os.Environ()), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	status := a.run(ctx, os.Args[1:])
	runtime.KeepAlive(reserve)
	os.Exit(status)
}

// endings are the signals that end docket in good order. A closed terminal is
// one, else a private PostgreSQL would be left behind; under nohup it is none.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// run parses the arguments, does the command and gives the exit status.
func (a *app) run(ctx context.Context, args []string) int {
	left := -1
	parser, err := kong.New(&commands{},
		kong.Name("docket"),
		kong.Description(description),
		kong.Writers(a.stdout, a.stderr),
		kong.Exit(func(status int) { left = status }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(a),
	)
	if err != nil {
		fmt.Fprintf(a.stderr, "docket: %v\n", err)
		return exitFailure
	}
	command, err := parser.Parse(args)
	switch {
	case left >= 0: // --help was printed
		return left
	case err != nil:
		fmt.Fprintf(a.stderr, "docket: %v\nRun \"docket --help\" for usage.\n", err)
		return exitUsage
	}
	return a.status(command.Run())
}

// status tells of the error and gives the exit status for it.
func (a *app) status(err error) int {
	if err == nil {
		return exitSuccess
	}
	fmt.Fprintf(a.stderr, "docket: %s\n", inWords(err))
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailure
}

// inWords tells an error without what is for programs and for clients of the API:
// codes, and hints at a body that nobody sees here.
func inWords(err error) string {
	var e *domain.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	words := []string{strings.TrimSuffix(e.Message, ".")}
	switch {
	case len(e.Issues) > 0:
		words = nil
		for _, issue := range e.Issues {
			words = append(words, issue.Path+": "+strings.TrimSuffix(issue.Message, "."))
		}
	case e.Code == domain.CodeNotFound:
		words = []string{"not found"}
	}
	if e.Cause != nil {
		words = append(words, e.Cause.Error())
	}
	return strings.Replace(err.Error(), e.Error(), strings.Join(words, "; "), 1)
}

// A usageError is a command that was called wrongly in a way that the parser
// cannot see, such as two options that exclude each other.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// parseID refuses what is no id, before a database does in words of its own. It
// gives the one form that events hold, since hashes and payloads are compared by it.
func parseID(what, id string) (string, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return "", usageError{fmt.Errorf("%s is a UUID, not %q", what, id)}
	}
	return parsed.String(), nil
}
