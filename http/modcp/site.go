package modcp

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// compressFrom is the size in bytes from which gzip is worthwhile.
const compressFrom = 256

// brotliExt ends the names of files that the build compressed with brotli.
const brotliExt = ".br"

// document is the page for every path of the panel.
const document = "index.html"

// asset is one file of the build, read once and compressed once.
type asset struct {
	once        sync.Once
	name        string
	contentType string
	etag        string
	plain       []byte
	gzipped     []byte
	brotli      []byte // of the build; nil if it has none
	policy      string // of a document
	err         error
}

// site serves a build. Its map is never changed after construction, so requests share it without a lock.
type site struct {
	files  fs.FS
	assets map[string]*asset
}

// Site serves the files of a build, each compressed once or by the build, and index.html for every other path.
func Site(files fs.FS) http.Handler {
	s := &site{files: files, assets: map[string]*asset{}}
	_ = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(name) != brotliExt {
			s.assets[name] = &asset{name: name}
		}
		return nil
	})
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	found, ok := s.assets[name]
	if !ok && strings.HasPrefix(name, "assets/") {
		// A document from before an upgrade requests a file that no longer exists; an HTML response
		// here would be taken for a broken script.
		http.NotFound(w, r)
		return
	}
	if !ok {
		found, ok = s.assets[document]
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.serve(w, r, found)
}

func (s *site) serve(w http.ResponseWriter, r *http.Request, a *asset) {
	a.once.Do(func() { a.load(s.files) })
	if a.err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", a.contentType)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Vary", "Accept-Encoding")
	header.Set("ETag", a.etag)
	if strings.HasPrefix(a.name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if a.name == document {
		header.Set("Content-Security-Policy", a.policy)
		header.Set("Referrer-Policy", "same-origin")
	}
	if r.Header.Get("If-None-Match") == a.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := a.plain
	switch {
	case a.brotli != nil && accepts(r, "br"):
		header.Set("Content-Encoding", "br")
		body = a.brotli
	case a.gzipped != nil && accepts(r, "gzip"):
		header.Set("Content-Encoding", "gzip")
		body = a.gzipped
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(body)
}

func (a *asset) load(files fs.FS) {
	a.plain, a.err = fs.ReadFile(files, a.name)
	if a.err != nil {
		return
	}
	a.contentType = typeOf(a.name)
	digest := sha256.Sum256(a.plain)
	a.etag = `"` + hex.EncodeToString(digest[:8]) + `"`
	if a.name == document {
		a.policy = policyOf(string(a.plain))
	}
	if len(a.plain) < compressFrom {
		return
	}
	if packed, err := fs.ReadFile(files, a.name+brotliExt); err == nil {
		a.brotli = packed
	}
	var packed bytes.Buffer // takes everything
	writer, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, _ = writer.Write(a.plain)
	_ = writer.Close()
	if packed.Len() < len(a.plain) {
		a.gzipped = packed.Bytes()
	}
}

// policyOf returns the policy that allows the script in the build's document, by its hash.
func policyOf(document string) string {
	_, after, found := strings.Cut(document, "<script>")
	if !found {
		return ContentSecurityPolicy
	}
	script, _, _ := strings.Cut(after, "</script>")
	hash := sha256.Sum256([]byte(script))
	return strings.Replace(ContentSecurityPolicy, "script-src 'self'", "script-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'", 1)
}

// typeOf returns the media type of a file of the build. It knows the usual types itself, because the system's MIME
// table differs between machines.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

func accepts(r *http.Request, wanted string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(coding, wanted) {
			return strings.ReplaceAll(quality, " ", "") != "q=0"
		}
	}
	return false
}
