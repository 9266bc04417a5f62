package account

import (
	"strings"
	"testing"
)

func TestEmailKey(t *testing.T) {
	for _, test := range []struct{ address, want string }{
		{"alice@example.org", "alice@example.org"},
		{"  Alice@Example.ORG ", "alice@example.org"},
		{"ａｌｉｃｅ＠ｅｘａｍｐｌｅ．ｏｒｇ", "alice@example.org"},
		{"alice@example。org", "alice@example.org"}, // the full stop of Chinese keyboards
		{"mıke@example.org", "mike@example.org"},
		{"MİKE@example.org", "mike@example.org"},
		{"\u212aate@example.org", "kate@example.org"}, // the Kelvin sign
		{"jörg@bücher.example", "jörg@xn--bcher-kva.example"},
		{"jo\u0308rg@XN--BCHER-KVA.example", "jörg@xn--bcher-kva.example"},
		{"o'brien+quiz@pub.example", "o'brien+quiz@pub.example"},
		{"ᏣᎳᎩ@example.org", "ꮳꮃꭹ@example.org"},
		{"用户@例子.广告", "用户@xn--fsqu00a.xn--4rr70v"},
	} {
		got, err := EmailKey(test.address)
		if err != nil || got != test.want {
			t.Errorf("EmailKey(%q) = %q, %v; want %q", test.address, got, err, test.want)
		}
		if again, err := EmailKey(got); err != nil || again != got {
			t.Errorf("the key %q has the key %q, %v", got, again, err)
		}
	}
}

func TestEmailKeyRefuses(t *testing.T) {
	for _, address := range []string{
		"", "@", "alice", "alice@", "@example.org", "alice@localhost", "alice@.org", "alice@example.", "alice@-example-.org",
		"alice@evil.example@example.org", "alice＠evil.example@example.org", // a full-width @ is one too
		"al ice@example.org", "alice@exam ple.org", "alice\x00@example.org", "alice\n@example.org", "alice\u202e@example.org", "alice\u200b@example.org",
		`"alice"@example.org`, "alice,bob@example.org", "Alice <alice@example.org>", "alice@[127.0.0.1]", "alice@exa_mple.org", "al\xffice@example.org",
		strings.Repeat("a", 65) + "@example.org", "a@" + strings.Repeat("a.", 126) + "org", strings.Repeat("x", 100_000) + "@example.org",
	} {
		if key, err := EmailKey(address); err == nil {
			t.Errorf("EmailKey(%.40q) = %q, want an error", address, key)
		}
	}
}

func FuzzEmailKey(f *testing.F) {
	for _, s := range []string{"alice@example.org", "mıke＠example.org", "a@b@c.d", "ß@straße.example", "\u0345@ﷺ.example"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		key, err := EmailKey(address)
		if err != nil {
			return
		}
		if strings.Count(key, "@") != 1 || len(key) > 400 {
			t.Errorf("EmailKey(%q) = %q", address, key)
		}
		if again, err := EmailKey(key); err == nil && again != key {
			t.Errorf("EmailKey(%q) = %q, and its key is %q", address, key, again)
		}
	})
}
