package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"

	"pubquiz/internal/words"
)

func TestURL(t *testing.T) {
	for _, name := range []string{"phone.js", "phone.css", "console.js", "console.css", "screen.js", "screen.css", "editor.js", "editor.css",
		"pages.js", "forms.css", "icon.svg"} {
		url, err := assetURL(words.English, name)
		if err != nil {
			t.Error(err)
			continue
		}
		stem, extension := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
		folder := "/static/"
		if extension == ".js" {
			folder += "en/"
		}
		if !strings.HasPrefix(url, folder+stem+"-") || !strings.HasSuffix(url, extension) {
			t.Errorf("URL(%q) = %q, want it under %s with a hash in its name", name, url, folder)
		}
	}
	if url, err := assetURL(words.English, "nothing.js"); err == nil {
		t.Errorf("URL of what was not bundled = %q, want an error", url)
	}
}

func TestServeAssets(t *testing.T) {
	script, err := assetURL(words.English, "phone.js")
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		if err := (&Server{}).static(w, &request{Request: r}); err != nil {
			t.Fatal(err)
		}
		return w
	}

	plain := get(script)
	if plain.Code != http.StatusOK || plain.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("the script: status %d, type %q", plain.Code, plain.Header().Get("Content-Type"))
	}
	if got := plain.Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("Cache-Control = %q, want it kept for good", got)
	}

	packed := get(script, "Accept-Encoding", "br;q=0, gzip;q=0.8")
	if packed.Header().Get("Content-Encoding") != "gzip" || packed.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("the compressed script's headers = %v", packed.Header())
	}
	if packed.Header().Get("ETag") == plain.Header().Get("ETag") {
		t.Error("two encodings have one ETag")
	}
	unpacker, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(unpacker); err != nil || !bytes.Equal(unpacked, plain.Body.Bytes()) {
		t.Errorf("the compressed script is not the plain one (%v)", err)
	}
	smallest := get(script, "Accept-Encoding", "gzip, deflate, br")
	if got := smallest.Header().Get("Content-Encoding"); got != "br" {
		t.Errorf("Content-Encoding = %q for who takes brotli", got)
	}
	if unpacked, err := io.ReadAll(brotli.NewReader(smallest.Body)); err != nil || !bytes.Equal(unpacked, plain.Body.Bytes()) {
		t.Errorf("the script in brotli is not the plain one (%v)", err)
	}

	if got := get(script, "Accept-Encoding", "gzip;q=0").Header().Get("Content-Encoding"); got != "" {
		t.Errorf("Content-Encoding = %q for who refuses gzip", got)
	}

	if again := get(script, "If-None-Match", plain.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("with a known ETag: status %d and %d bytes, want 304 and none", again.Code, again.Body.Len())
	}
	if got := get("/static/phone-NOTTHERE.js").Code; got != http.StatusNotFound {
		t.Errorf("an unknown file: status %d, want 404", got)
	}
}

func fileOf(t *testing.T, l *words.Language, name string) asset {
	t.Helper()
	url, err := assetURL(l, name)
	if err != nil {
		t.Fatal(err)
	}
	bundled := looks
	if path.Ext(name) == ".js" {
		bundled = scripts[l.Code]
	}
	assets, err := bundled()
	if err != nil {
		t.Fatal(err)
	}
	return assets.files[url]
}

// A phone's first visit is a page, a style sheet, a script and a font. 45 kB are allowed for all of them, also where there is no brotli: browsers take that over
// TLS only, which a laptop in a pub has not.
func TestPhoneIsLight(t *testing.T) {
	t.Parallel()
	for _, l := range words.All {
		t.Run(l.Code, func(t *testing.T) { testPhoneIsLight(t, l) })
	}
}

func testPhoneIsLight(t *testing.T, l *words.Language) {
	const page = 1_500 // app.html and the headers of all four, as a browser counts them
	weight, zipped := page, page
	for _, name := range append(firstFonts(l), "phone.css", "phone.js") {
		file := fileOf(t, l, name)
		smallest, gzipped := len(file.plain), len(file.plain)
		if file.gzipped != nil {
			smallest, gzipped = len(file.brotli()), len(file.gzipped)
		}
		t.Logf("%-20s %6d bytes, %6d with gzip", name, smallest, gzipped)
		weight += smallest
		zipped += gzipped
	}
	if weight > 45_000 || zipped > 45_000 {
		t.Errorf("the phone's first visit weighs %d bytes, and %d with gzip: more than 45,000", weight, zipped)
	}
}

// The scripts have tests of their own, beside them. They are bundled as the scripts are and run by Node's test runner.
func TestScripts(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is needed to test the scripts: ", err)
		}
		t.Skip("the scripts are not tested: ", err)
	}
	tests, err := fs.Glob(sources, "app/*/*.test.ts")
	if err != nil || len(tests) == 0 {
		t.Fatalf("found %d tests of scripts (%v)", len(tests), err)
	}
	var entries []api.EntryPoint
	for _, test := range tests {
		name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(test, "app/"), ".ts"), "/", "-")
		entries = append(entries, api.EntryPoint{InputPath: test, OutputPath: name})
	}
	files, err := bundle(entries, api.BuildOptions{OutExtension: map[string]string{".js": ".mjs"}}, words.English, "/static")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := exec.CommandContext(t.Context(), node, "--test", "--test-reporter=spec")
	run.Dir = dir
	for _, file := range files {
		name := filepath.Join(dir, path.Base(file.Path))
		if err := os.WriteFile(name, file.Contents, 0o600); err != nil {
			t.Fatal(err)
		}
		run.Args = append(run.Args, name)
	}
	output, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
