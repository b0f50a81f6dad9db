package cmd

import (
	"io"
	"os"

	"github.com/rs/zerolog"
	"golang.org/x/term"
)

// logger writes to standard error, since standard output is for the results of commands.
func (c *Config) logger(stderr io.Writer) zerolog.Logger {
	format := c.LogFormat
	if format == "" && isTerminal(stderr) {
		format = "console"
	}
	if format == "console" {
		_, plain := os.LookupEnv("NO_COLOR")
		stderr = zerolog.ConsoleWriter{Out: stderr, NoColor: plain || !isTerminal(stderr), TimeFormat: "15:04:05.000"}
	}
	level, err := zerolog.ParseLevel(c.LogLevel)
	if err != nil {
		level = zerolog.InfoLevel // not reached: faults refuses other levels
	}
	return zerolog.New(stderr).Level(level).With().Timestamp().Logger()
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
