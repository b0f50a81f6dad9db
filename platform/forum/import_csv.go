package forum

import (
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/docketmod/docket/domain/richtext"
)

// maxComment bounds one comment, in bytes of HTML.
const maxComment = 64 << 10

// comment is a row of a file. The author is as written, the text is HTML, and the date may be
// missing.
type comment struct {
	id, author, html string
	at               *time.Time
	spam             bool
}

type comments struct {
	comments []comment
	rows     int
	repaired int
	faulty   []string
}

var header = []string{"COMMENT_ID", "AUTHOR", "DATE", "CONTENT", "CLASS"}

// readComments reads a CSV file with the header above. It lists rows that cannot be
// parsed as faulty; the error concerns the whole file.
func readComments(from io.Reader, name string) (comments, error) {
	var out comments
	r := csv.NewReader(from)
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	first, err := r.Read()
	if err != nil {
		return out, fmt.Errorf("read the header: %w", err)
	}
	first[0] = strings.TrimPrefix(first[0], "\uFEFF")
	if strings.Join(first, ",") != strings.Join(header, ",") {
		return out, fmt.Errorf("the header is not %s", strings.Join(header, ","))
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out.rows++
		c, repaired, err := parseComment(row)
		if err != nil {
			line, _ := r.FieldPos(0)
			out.faulty = append(out.faulty, fmt.Sprintf("%s:%d: %s", name, line, err))
			continue
		}
		if repaired {
			out.repaired++
		}
		out.comments = append(out.comments, c)
	}
}

// dates are the layouts of dates in the files, which are in UTC.
var dates = []string{"2006-01-02T15:04:05.999999", "2006-01-02T15:04:05Z07:00"}

func parseComment(row []string) (c comment, repaired bool, err error) {
	if len(row) != len(header) {
		return c, false, fmt.Errorf("the row has %d columns, not %d", len(row), len(header))
	}
	clean := make([]string, len(row))
	for i, text := range row {
		clean[i] = visible(text)
		repaired = repaired || clean[i] != text
		clean[i] = strings.TrimSpace(clean[i])
	}
	c = comment{id: clean[0], author: clean[1], html: clean[3]}
	switch {
	case c.id == "" || len(c.id) > 200:
		return c, false, fmt.Errorf("the row has no valid comment id")
	case c.html == "":
		return c, false, fmt.Errorf("the comment is empty")
	case len(c.html) > maxComment:
		return c, false, fmt.Errorf("the comment has more than %d bytes", maxComment)
	}
	c.html = "<p>" + c.html + "</p>"
	switch clean[4] {
	case "1":
		c.spam = true
	case "0":
	default:
		return c, false, fmt.Errorf("the class is neither 0 nor 1")
	}
	if clean[2] != "" {
		if c.at, err = parseDate(clean[2]); err != nil {
			return c, false, err
		}
	}
	return c, repaired, nil
}

func parseDate(text string) (*time.Time, error) {
	for _, layout := range dates {
		if at, err := time.Parse(layout, text); err == nil {
			at = at.UTC()
			return &at, nil
		}
	}
	return nil, fmt.Errorf("the date has an unknown format")
}

// visible removes what PostgreSQL cannot store and what readers cannot see: byte order marks,
// zero-width spaces, control characters. It keeps joiners, since they shape emoji and scripts.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\uFEFF' || r == '\u200B' || r == '\u2060' || r == '\u00AD' || unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// maxAuthorName is the limit of an account's name in code points.
const maxAuthorName = 100

// authorName returns the author's display name: entities decoded, on one line, without
// bidirectional controls, at most maxAuthorName long.
func authorName(author string) string {
	name := visible(html.UnescapeString(author))
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if name == "" {
		return "Unknown author"
	}
	name, _ = richtext.Cut(name, maxAuthorName)
	return strings.TrimSpace(name)
}
