package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"time"

	"pubquiz/ratelimit"
	"pubquiz/session"
	"pubquiz/web"
)

// claimed is an address that is nobody's (RFC 5737). Whoever says that they are it is not to be believed.
var claimed = netip.MustParseAddr("192.0.2.1")

const (
	certificateSoon = 21 * 24 * time.Hour // those who renew by themselves have by then
	certificateLate = 3 * 24 * time.Hour
)

// checkSite asks for the server at the address that people use, as one of them would, and whom it takes this machine for.
func (c config) checkSite(ctx context.Context) []finding {
	const about = "site"
	var local netip.Addr
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(conn httptrace.GotConnInfo) {
		if address, ok := conn.Conn.LocalAddr().(*net.TCPAddr); ok {
			local = address.AddrPort().Addr().Unmap()
		}
	}})
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, string(c.BaseURL)+"/readyz", nil)
	if err != nil {
		return []finding{{about, wrongLevel, err.Error(), "correct BASE_URL"}}
	}
	if len(c.keys()) > 0 {
		request.Header.Set(web.OperatorHeader, session.Keys(c.keys()).ProveOperator(time.Now()))
	}
	claim := claimed.String()
	if c.AddressHeader == "Forwarded" {
		claim = "for=" + claim
	}
	request.Header.Set(string(c.AddressHeader), claim)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}
	answer, err := client.Do(request)
	if err != nil {
		return []finding{siteAway(err)}
	}
	defer answer.Body.Close()
	found := []finding{{about, fineLevel, fmt.Sprintf("a server answers at %s", c.BaseURL), ""}}
	if answer.TLS != nil {
		found = append(found, certificateFinding(answer.TLS.PeerCertificates[0], time.Now()))
	} else if host := c.BaseURL.url().Hostname(); host != "localhost" {
		found = append(found, finding{about, lookLevel, "it is not https: anyone on the way can read along, and phones cannot keep their screens awake", "have TLS, as docs/operations.md says"})
	}
	switch {
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		found[0] = finding{about, wrongLevel, fmt.Sprintf("%s leads on to %s", c.BaseURL, answer.Header.Get("Location")), "put the address where it ends into BASE_URL: links and QR codes are made from that, and only its pages may send commands"}
	case answer.StatusCode == http.StatusServiceUnavailable:
		found[0] = finding{about, wrongLevel, "the server says that it is not ready", "see what its log says; most often it is the database"}
	case answer.StatusCode != http.StatusOK:
		found[0] = finding{about, wrongLevel, fmt.Sprintf("something answers %s at %s, but no quizd that can be asked", answer.Status, c.BaseURL), "see where the proxy passes requests on to"}
	}
	if found[0].Is != fineLevel {
		return found
	}
	var who web.WhoAsks
	if err := json.NewDecoder(io.LimitReader(answer.Body, 64<<10)).Decode(&who); err != nil || who.Status != "ready" {
		found[0] = finding{about, wrongLevel, fmt.Sprintf("something else than quizd answers at %s", c.BaseURL), "see where the proxy passes requests on to"}
		return found
	}
	return append(found, clientFinding(who, local))
}

// siteAway says in plain words why nobody answers.
func siteAway(err error) finding {
	f := finding{"site", wrongLevel, "nobody answers: " + err.Error(), "start the server, or see whether this machine reaches the proxy; phones have to, at least"}
	if unknown, ok := errors.AsType[*net.DNSError](err); ok {
		f.Says, f.Do = "nobody knows the host "+unknown.Name, "enter it where the domain's names are kept, or correct BASE_URL"
	}
	if failed, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		f.Says, f.Do = "browsers will warn of its certificate: "+failed.Err.Error(), "have one from an authority that browsers know, for this very host, and with those between it and that authority"
		if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
			f.Says, f.Do = fmt.Sprintf("its certificate ran out on %s", invalid.Cert.NotAfter.Format("2 January 2006")), "renew it, and see why that did not happen by itself"
		}
	}
	return f
}

func certificateFinding(certificate *x509.Certificate, now time.Time) finding {
	left := certificate.NotAfter.Sub(now)
	f := finding{"site", fineLevel, fmt.Sprintf("its certificate lasts %d more days", int(left.Hours()/24)), ""}
	const renew = "renew it, and see why that has not happened by itself"
	switch {
	case left < certificateLate:
		f.Is, f.Do = wrongLevel, renew
	case left < certificateSoon:
		f.Is, f.Do = lookLevel, renew
	}
	return f
}

// clientFinding judges whom the server takes this machine for. local is this machine's own end of the connection.
func clientFinding(who web.WhoAsks, local netip.Addr) finding {
	const about = "client address"
	switch {
	case !who.Client.IsValid():
		return finding{about, lookLevel, "the server does not say whom it takes this machine for", "use the server's SECRET_KEYS, and a clock that is right within minutes"}
	case who.Peer == local && who.Client == claimed:
		return finding{about, lookLevel, "this machine is itself one of the TRUSTED_PROXIES, so it can say nothing about others", "run the doctor on another machine"}
	case who.Client == claimed:
		return finding{about, wrongLevel, "the server believes whoever claims an address in the header, so that everybody can pass by the limits",
			"have the proxy in front replace the header, or append to it, and name proxies only in TRUSTED_PROXIES"}
	case who.Doubt != ratelimit.NoDoubt.String():
		return finding{about, wrongLevel, fmt.Sprintf("the proxy %v does not say who is connected to it (%s), so that everybody is counted as one", who.Peer, who.Doubt),
			"have it set the header that CLIENT_ADDRESS_HEADER names"}
	case who.Client == local:
		return finding{about, fineLevel, fmt.Sprintf("the server takes this machine for %v, which it is", who.Client), ""}
	case who.Client == who.Peer && (who.Peer.IsPrivate() || who.Peer.IsLoopback()):
		return finding{about, wrongLevel, fmt.Sprintf("the server takes %v for this machine, so that everybody is counted as one", who.Peer), "if that is the proxy in front, name it in TRUSTED_PROXIES"}
	default:
		return finding{about, lookLevel, fmt.Sprintf("the server takes this machine for %v", who.Client), "compare it with this network's public address: it must be that"}
	}
}
