package live

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
)

// cursors encodes positions of the log as opaque ids. Positions have no gaps, so two of them would
// reveal to moderators how much happens outside of their scopes. An id is one AES block under a key
// in the database, so every server can decode it.
type cursors struct{ block cipher.Block }

// A block has 8 bytes of position, 4 of salt, and 4 that are zero in valid ids.
const (
	blockSize = aes.BlockSize
	saltAt    = 8
	zeroAt    = 12
)

// loadCursors reads the database's key, and creates it if there is none.
func loadCursors(ctx context.Context, pool *pgxpool.Pool) (*cursors, error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails
	if err := postgres.Exec(ctx, pool, "store the key of live ids", `INSERT INTO core_live_key (key) VALUES ($1) ON CONFLICT DO NOTHING`, fresh); err != nil {
		return nil, err
	}
	key, err := postgres.CollectOne(ctx, pool, "read the key of live ids", pgx.RowTo[[]byte], `SELECT key FROM core_live_key`)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("key of live ids: %w", err)
	}
	return &cursors{block}, nil
}

// encode returns the position's id. With different salts the ids of one position differ, so that
// heartbeats do not reveal whether anything happened in between.
func (c *cursors) encode(position int64, salt uint32) string {
	var b [blockSize]byte
	binary.BigEndian.PutUint64(b[:], uint64(position))
	binary.BigEndian.PutUint32(b[saltAt:], salt)
	c.block.Encrypt(b[:], b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// mark returns a frame with an id and no event: a client stores the id and shows nothing.
func (c *cursors) mark(position int64, salt uint32) []byte {
	return fmt.Appendf(nil, "id: %s\n\n", c.encode(position, salt))
}

// decode returns the position of an id, or false if no server made it.
func (c *cursors) decode(id string) (int64, bool) {
	if len(id) != base64.RawURLEncoding.EncodedLen(blockSize) {
		return 0, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || len(b) != blockSize {
		return 0, false
	}
	c.block.Decrypt(b, b)
	position := int64(binary.BigEndian.Uint64(b))
	return position, binary.BigEndian.Uint32(b[zeroAt:]) == 0 && position >= -1
}

// resume returns the frames after lastID, or a first frame with a reset if lastID is too old or
// unknown. The hub's lock must be held.
func (h *Hub) resume(lastID string) (first []byte, missed []*Frame, err error) {
	if lastID == "" {
		return h.cursors.mark(h.head, 0), nil, nil
	}
	position, ok := h.cursors.decode(lastID)
	if !ok || position < h.before || position > h.head+readBatch {
		first, err = write(h.cursors.encode(h.head, 0), "reset", struct{}{})
		return first, nil, err
	}
	from, _ := slices.BinarySearchFunc(h.ring, position+1, func(f *Frame, p int64) int { return int(f.position - p) })
	return nil, slices.Clone(h.ring[from:]), nil
}
