package likeness

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
)

// Hashes is how many values a signature has. The standard deviation of a similarity of 0.8 is 0.035.
const Hashes = 128

const (
	// Two texts are candidates if all values in one of their bands are equal. With a similarity of 0.8 that is so for
	// 99.98 % of pairs, with 0.7 for 98.8 %, with 0.5 for 64 %, and with 0.2 for 2.5 %.
	bands = 16
	rows  = 4
	// fewWords is the number of words up to which only the text as a whole is compared.
	fewWords = 3
)

// Signature is the MinHash of a text (Broder, "On the resemblance and containment of documents",
// 1997): for each of Hashes hash functions, 16 bits of its least value over the pairs of adjacent
// words. It is empty for a text without words. The hash functions must stay as they are, since
// signatures are stored.
//
// No library is used for it: those for Go keep their index in memory or are not maintained, and the
// index here is PostgreSQL's.
type Signature []byte

// sign returns the signature of words.
func sign(words []string) Signature {
	if len(words) == 0 {
		return nil
	}
	var least [Hashes]uint64
	for i := range least {
		least[i] = ^uint64(0)
	}
	add := func(pair uint64) {
		for i := range least {
			least[i] = min(least[i], mix(pair+uint64(i)*golden))
		}
	}
	if len(words) <= fewWords {
		add(hash(words...))
	} else {
		for i := range words[1:] {
			add(hash(words[i], words[i+1]))
		}
	}
	s := make(Signature, 0, 2*Hashes)
	for _, v := range least {
		s = binary.BigEndian.AppendUint16(s, uint16(v))
	}
	return s
}

const golden = 0x9e3779b97f4a7c15

// mix is the output function of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	return mix(h.Sum64())
}

// Alike returns in how many of Hashes values two signatures are the same. Divided by Hashes, that is
// an estimate of their Jaccard similarity: of all pairs of neighbouring words that are in either text,
// the share of those that are in both. It is symmetric, Hashes for equal texts, and 0 if one has no words.
func (s Signature) Alike(other Signature) int {
	if len(s) != 2*Hashes || len(other) != 2*Hashes {
		return 0
	}
	n := 0
	for i := 0; i < len(s); i += 2 {
		if bytes.Equal(s[i:i+2], other[i:i+2]) {
			n++
		}
	}
	return n
}

// Keys returns the signature's keys in an index; nearly equal texts share at least one.
func (s Signature) Keys() []int64 {
	if len(s) != 2*Hashes {
		return nil
	}
	keys := make([]int64, bands)
	for b := range keys {
		keys[b] = key(string([]byte{byte(b)}), string(s[2*rows*b:2*rows*(b+1)]))
	}
	return keys
}

// key hashes the parts to an index key.
func key(parts ...string) int64 { return int64(hash(parts...)) }
