package main

import (
	"crypto/rand"
	"embed"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// configs are the templates of what each program reads.
//
//go:embed config
var configs embed.FS

// server is one program of the cluster, on loopback.
type server struct {
	Name string
	Dir  string // its data
	Port int    // for clients
	Peer int    // for its peers
	REST int    // of Patroni

	Primary, Replica int // the proxy's ports for PostgreSQL

	All *plan
}

// plan is the data of the templates.
type plan struct {
	Dir         string
	PostgresBin string
	Password    string
	AuditKey    string

	Etcd, Postgres, NATS, Docket []*server
	Proxy                        *server
}

// newPlan assigns the servers of a cluster to folders in dir and to free ports.
func newPlan(dir string) (*plan, error) {
	p := &plan{Dir: dir, Password: rand.Text()}
	var err error
	var ports []net.Listener // kept open, so that no port is given twice
	defer func() {
		for _, l := range ports {
			_ = l.Close()
		}
	}()
	port := func() int {
		listener, listenErr := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it returns at once
		if listenErr != nil {
			err = listenErr
			return 0
		}
		ports = append(ports, listener)
		return listener.Addr().(*net.TCPAddr).Port
	}
	place := func(kind string, n int) (all []*server) {
		for i := range n {
			name := fmt.Sprintf("%s%d", kind, i+1)
			all = append(all, &server{Name: name, Dir: filepath.Join(dir, name), Port: port(), Peer: port(), REST: port(), All: p})
		}
		return all
	}
	p.Etcd, p.Postgres, p.NATS, p.Docket = place("etcd", 3), place("postgres", 2), place("nats", 3), place("docket", 2)
	p.Proxy = &server{Name: "haproxy", Dir: filepath.Join(dir, "haproxy"), Port: port(), Primary: port(), Replica: port(), All: p}
	return p, err
}

// config returns the config of that name, filled in for one server.
func (s *server) config(name string) (string, error) {
	parsed, err := template.ParseFS(configs, "config/"+name)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := parsed.Option("missingkey=error").Execute(&text, s); err != nil {
		return "", err
	}
	return text.String(), nil
}

// writeConfig creates the server's folder and writes its config there.
func (s *server) writeConfig(name string) (path string, err error) {
	text, err := s.config(name)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(s.Dir, name)
	return path, os.WriteFile(path, []byte(text), 0o600)
}

// databaseURL is the URL of a database of the primary, through the proxy.
func (p *plan) databaseURL(role, database string) string {
	return p.postgresURL(p.Proxy.Primary, role, database)
}

// replicaURL is the URL of a database of the standby, through the proxy.
func (p *plan) replicaURL(role, database string) string {
	return p.postgresURL(p.Proxy.Replica, role, database)
}

func (p *plan) postgresURL(port int, role, database string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable&connect_timeout=3", role, p.Password, port, database)
}

// brokerURLs returns the URLs of the NATS servers.
func (p *plan) brokerURLs() string {
	var urls []string
	for _, n := range p.NATS {
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", n.Port))
	}
	return strings.Join(urls, ",")
}
