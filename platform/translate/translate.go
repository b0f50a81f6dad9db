// Package translate is a client of the translation service that the operator has configured, with the API of
// LibreTranslate. Other modules must not import it.
package translate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/egress"
)

const (
	timeout   = 15 * time.Second
	maxAnswer = 1 << 20 // bytes
	atOnce    = 4       // concurrent requests of a server; others wait
)

// Client calls one service. It is safe for concurrent use.
type Client struct {
	url, key string
	http     *http.Client
	turns    chan struct{}
}

// New returns a client of the service at the address, such as `http://127.0.0.1:5000`. key is the
// API key of the service, or "".
func New(address, key string) *Client {
	return &Client{url: strings.TrimRight(address, "/") + "/translate", key: key, turns: make(chan struct{}, atOnce),
		http: egress.NewClient(egress.Options{Configured: true, KeepAlive: true, Timeout: timeout})}
}

// Translate returns the texts in the language to, in order, and their original language, or "" if
// the service does not return it. An error does not quote the response.
func (c *Client) Translate(ctx context.Context, texts []string, to string) (translated []string, from string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-ctx.Done():
		return nil, "", fmt.Errorf("wait for a turn to translate: %w", ctx.Err())
	}
	question := map[string]any{"q": texts, "source": "auto", "target": to, "format": "text"}
	if c.key != "" {
		question["api_key"] = c.key
	}
	body, err := json.Marshal(question)
	if err != nil {
		return nil, "", fmt.Errorf("encode a question to the translation service: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, "", fmt.Errorf("ask the translation service: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, "", fmt.Errorf("ask the translation service: %s", egress.Explain(ctx, err, timeout))
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("read the translation service's answer: %s", egress.Explain(ctx, err, timeout))
	case answer.StatusCode != http.StatusOK:
		return nil, "", fmt.Errorf("the translation service answered %d", answer.StatusCode)
	case len(raw) > maxAnswer:
		return nil, "", fmt.Errorf("the translation service's answer is larger than %d bytes", maxAnswer)
	}
	var a struct {
		TranslatedText   []string `json:"translatedText"`
		DetectedLanguage []struct {
			Language string `json:"language"`
		} `json:"detectedLanguage"`
	}
	if json.Unmarshal(raw, &a) != nil || len(a.TranslatedText) != len(texts) {
		return nil, "", fmt.Errorf("the translation service's answer is not one text for each of %d", len(texts))
	}
	// The longest text is the best one for detecting the language.
	longest := 0
	for i, text := range texts {
		if i < len(a.DetectedLanguage) && len(text) >= longest {
			longest, from = len(text), a.DetectedLanguage[i].Language
		}
	}
	if !domain.ValidLocale(from) {
		from = ""
	}
	return a.TranslatedText, from, nil
}
