// Package proof proves that nobody has changed the log: it takes checkpoints of the Merkle tree over the log and stores
// them in a folder, proves one report without a database, exports the log, and verifies all of it. Other modules must
// not import it.
package proof

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/docketmod/docket/eventstore/postgres"
)

// frontier builds a Merkle tree (RFC 6962) leaf by leaf. It stores only the roots of the tree's perfect subtrees, one
// for each bit of its size.
type frontier struct {
	size  int64
	roots []tlog.Hash // widest first
}

func (f *frontier) add(leaf tlog.Hash) {
	for n := f.size; n&1 == 1; n >>= 1 {
		leaf = tlog.NodeHash(f.roots[len(f.roots)-1], leaf)
		f.roots = f.roots[:len(f.roots)-1]
	}
	f.roots = append(f.roots, leaf)
	f.size++
}

// root returns the hash of the tree, which must not be empty.
func (f *frontier) root() tlog.Hash {
	last := len(f.roots) - 1
	hash := f.roots[last]
	for _, wider := range slices.Backward(f.roots[:last]) {
		hash = tlog.NodeHash(wider, hash)
	}
	return hash
}

// tree reads hashes of the Merkle tree over the sealed log. The database stores only the leaves; tree computes the
// nodes above them, each once for any number of proofs.
type tree struct {
	db    postgres.Querier
	known map[[2]int64]tlog.Hash // by level and number
}

// chunkLevel is the height of the subtrees that one query reads.
const chunkLevel = 10

func newTree(db postgres.Querier) *tree { return &tree{db: db, known: map[[2]int64]tlog.Hash{}} }

// RootAt returns the root of the tree over the first size positions of the log. It is nil for an
// empty log.
func RootAt(ctx context.Context, db postgres.Querier, size int64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	hash, err := tlog.TreeHash(size, newTree(db).reader(ctx))
	if err != nil {
		return nil, fmt.Errorf("hash the log up to %d: %w", size, err)
	}
	return hash[:], nil
}

// reader returns a tlog.HashReader that is valid until ctx ends.
func (t *tree) reader(ctx context.Context) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			level, n := tlog.SplitStoredHashIndex(index)
			var err error
			if hashes[i], err = t.subtree(ctx, level, n); err != nil {
				return nil, err
			}
		}
		return hashes, nil
	})
}

// subtree returns the root over the leaves from n·2^level to (n+1)·2^level. Above chunkLevel it combines its two
// halves.
func (t *tree) subtree(ctx context.Context, level int, n int64) (_ tlog.Hash, err error) {
	key := [2]int64{int64(level), n}
	hash, ok := t.known[key]
	switch {
	case ok:
		return hash, nil
	case level <= chunkLevel:
		hash, err = t.fold(ctx, level, n)
	default:
		var left, right tlog.Hash
		if left, err = t.subtree(ctx, level-1, 2*n); err == nil {
			right, err = t.subtree(ctx, level-1, 2*n+1)
		}
		hash = tlog.NodeHash(left, right)
	}
	if err == nil {
		t.known[key] = hash
	}
	return hash, err
}

// fold reads the leaves of a subtree and returns its root.
func (t *tree) fold(ctx context.Context, level int, n int64) (tlog.Hash, error) {
	first, count := n<<level+1, int64(1)<<level
	leaves, err := postgres.Collect(ctx, t.db, fmt.Sprintf("read leaves from position %d", first), pgx.RowTo[[]byte],
		`SELECT leaf_hash FROM core_moderation_log WHERE position >= $1 AND position < $2 ORDER BY position`, first, first+count)
	if err != nil {
		return tlog.Hash{}, err
	}
	if int64(len(leaves)) != count {
		return tlog.Hash{}, fmt.Errorf("the log has %d of the %d positions from %d", len(leaves), count, first)
	}
	var f frontier
	for i, leaf := range leaves {
		hash, err := leafOf(leaf)
		if err != nil {
			return tlog.Hash{}, fmt.Errorf("position %d: %w", first+int64(i), err)
		}
		f.add(hash)
	}
	return f.root(), nil
}

func leafOf(b []byte) (h tlog.Hash, err error) {
	if len(b) != len(h) {
		return h, fmt.Errorf("a leaf of %d bytes", len(b))
	}
	return tlog.Hash(b), nil
}
