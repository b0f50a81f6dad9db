package paging

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/docketmod/docket/domain"
)

// encodeCursor returns the base64url text, without padding, of the JSON array
// [column, direction, value, id]. A cursor is the position itself, so it stays valid when
// its row is edited or deleted.
func encodeCursor(o Ordering, d Direction, p Position) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Encoding strings cannot fail.
	_ = e.Encode([4]string{o.Name, string(d), p.Value.text, p.ID.text})
	return base64.RawURLEncoding.EncodeToString(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// decodeCursor accepts only what encodeCursor would return for the same position: cursors
// are not signed, so every part is validated.
func decodeCursor(text string, o Ordering, d Direction, idKind Kind) (Position, error) {
	if len(text) > maxCursor {
		return Position{}, InvalidCursor()
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return Position{}, InvalidCursor()
	}
	var parts []string
	if json.Unmarshal(raw, &parts) != nil || len(parts) != 4 {
		return Position{}, InvalidCursor()
	}
	if parts[0] != o.Name || parts[1] != string(d) {
		return Position{}, domain.Errorf(domain.CodeInvalidCursor,
			"The cursor belongs to another ordering of this list.")
	}
	value, ok := parseValue(o.Kind, o.Nullable, parts[2])
	if !ok {
		return Position{}, InvalidCursor()
	}
	id, ok := parseValue(idKind, false, parts[3])
	if !ok {
		return Position{}, InvalidCursor()
	}
	p := Position{value, id}
	if encodeCursor(o, d, p) != text {
		return Position{}, InvalidCursor()
	}
	return p, nil
}

// InvalidCursor returns the error for a cursor that no list returned.
func InvalidCursor() *domain.Error {
	return domain.Errorf(domain.CodeInvalidCursor, "The cursor is not a valid cursor of this list.")
}
