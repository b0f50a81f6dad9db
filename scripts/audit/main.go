// Command audit writes what a Go binary is made of, by name, version and licence, as an
// SPDX document. The modules are those that the Go tool noted in the binary. Their
// licences are read from the module cache.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx"
	"github.com/spdx/tools-golang/spdx/v2/common"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: audit BINARY SPDX-FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

func write(binary, file string) (err error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOMODCACHE: %w", err)
	}
	sum := sha256.Sum256(content)
	doc := document(info, hex.EncodeToString(sum[:]), strings.TrimSpace(string(cache)))
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return json.Write(doc, out)
}

const noAssertion = "NOASSERTION"

func document(info *debug.BuildInfo, sum, cache string) *spdx.Document {
	created := time.Now().UTC().Format(time.RFC3339)
	doc := &spdx.Document{
		SPDXVersion: spdx.Version, DataLicense: spdx.DataLicense, SPDXIdentifier: "DOCUMENT", DocumentName: info.Main.Path,
		DocumentNamespace: "https://" + info.Main.Path + "/spdx/" + sum,
		CreationInfo:      &spdx.CreationInfo{Created: created, Creators: []spdx.Creator{{CreatorType: "Tool", Creator: "docket-scripts-audit"}}},
	}
	add := func(name, version, licence string) {
		id := common.ElementID(fmt.Sprintf("Package-%d", len(doc.Packages)))
		p := &spdx.Package{PackageName: name, PackageVersion: version, PackageSPDXIdentifier: id,
			PackageDownloadLocation: noAssertion, PackageLicenseConcluded: noAssertion, PackageLicenseDeclared: licence, PackageCopyrightText: noAssertion,
			PackageExternalReferences: []*spdx.PackageExternalReference{{Category: "PACKAGE-MANAGER", RefType: "purl", Locator: "pkg:golang/" + name + "@" + version}}}
		doc.Packages = append(doc.Packages, p)
		from, kind := common.MakeDocElementID("", "Package-0"), "CONTAINS"
		if len(doc.Packages) == 1 {
			from, kind = common.MakeDocElementID("", "DOCUMENT"), "DESCRIBES"
		}
		doc.Relationships = append(doc.Relationships, &spdx.Relationship{RefA: from, RefB: common.MakeDocElementID("", string(id)), Relationship: kind})
	}
	add(info.Main.Path, info.Main.Version, licenceIn(filepath.Join("..", "..")))
	add("stdlib", strings.TrimPrefix(info.GoVersion, "go"), "BSD-3-Clause")
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		add(m.Path, m.Version, licenceOf(cache, m))
	}
	return doc
}

func licenceOf(cache string, m *debug.Module) string {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return noAssertion
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return noAssertion
	}
	return licenceIn(filepath.Join(cache, path+"@"+version))
}

// licences are the sentences by which the usual licences are told apart, in this order.
var licences = []struct {
	id   string
	text *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`Apache License,? Version 2\.0`)},
	{"MPL-2.0", regexp.MustCompile(`Mozilla Public License,? (Version|version) 2\.0`)},
	{"BSD-3-Clause", regexp.MustCompile(`(?s)Redistribution and use in source and binary forms.*(Neither the name|The names? of)`)},
	{"BSD-2-Clause", regexp.MustCompile(`Redistribution and use in source and binary forms`)},
	{"MIT", regexp.MustCompile(`Permission is hereby granted, free of charge, to any person obtaining a copy`)},
	{"ISC", regexp.MustCompile(`Permission to use, copy, modify, and(/or)? distribute this software for any purpose`)},
}

// licenceIn returns the licence of a folder's licence files, all of those that apply
// where there are several, or NOASSERTION.
func licenceIn(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return noAssertion
	}
	var found []string
	for _, e := range entries {
		if name := strings.ToUpper(e.Name()); e.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		words := strings.Join(strings.Fields(string(text)), " ")
		for _, l := range licences {
			if l.text.MatchString(words) {
				if !strings.Contains(strings.Join(found, " "), l.id) {
					found = append(found, l.id)
				}
				break
			}
		}
	}
	if len(found) == 0 {
		return noAssertion
	}
	return strings.Join(found, " AND ")
}
