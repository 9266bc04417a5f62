package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"

	"pubquiz/internal/words"
)

//go:embed app static
var sources embed.FS

// Assets are the files that pages load, bundled and kept in memory.
type Assets struct {
	files map[string]asset  // by path: "/static/phone-4DXAKQ2M.css"
	urls  map[string]string // by name: "phone.css" → its path
}

type asset struct {
	contentType string
	etag        string
	plain       []byte
	gzipped     []byte        // nil where compressing gains nothing
	brotli      func() []byte // the smallest; compressed when somebody first asks for it; nil as gzipped is
}

// What is embedded does not change, so it is bundled once for all servers of the process. looks are the styles, fonts and pictures of all pages; scripts, by
// language, are what says something, and are bundled when somebody first reads that language.
var (
	looks   = sync.OnceValues(func() (*Assets, error) { return bundleAssets(words.English, "/static", lookPatterns) })
	scripts = func() map[string]func() (*Assets, error) {
		all := map[string]func() (*Assets, error){}
		for _, l := range append([]*words.Language{words.Pseudo}, words.All...) {
			all[l.Code] = sync.OnceValues(func() (*Assets, error) { return bundleAssets(l, "/static/"+l.Code, scriptPatterns) })
		}
		return all
	}()
)

var bundling sync.Mutex

var (
	lookPatterns   = []string{"app/styles/*.css", "static/*.svg", "static/*.png"}
	scriptPatterns = []string{"app/*/main.ts", "app/*/main.tsx"}
)

// bundleAssets bundles what is embedded, to be served under a folder: every app/NAME/main.ts or main.tsx becomes NAME.js, every style sheet of
// app/styles that is not only a part of others NAME.css, and the pictures in static keep their names.
func bundleAssets(l *words.Language, folder string, patterns []string) (*Assets, error) {
	bundling.Lock() // one language after the other, whoever asks for how many at once
	defer bundling.Unlock()
	entries, err := entryPoints(patterns)
	if err != nil {
		return nil, fmt.Errorf("finding what to bundle: %w", err)
	}
	out, err := bundle(entries, small(), l, folder)
	if err != nil {
		return nil, err
	}
	assets := &Assets{files: map[string]asset{}, urls: map[string]string{}}
	for _, file := range out {
		a, err := newAsset(file)
		if err != nil {
			return nil, fmt.Errorf("compressing %s: %w", file.Path, err)
		}
		assets.files[file.Path] = a
		assets.urls[unhashed(path.Base(file.Path))] = file.Path
	}
	return assets, nil
}

// small makes what is bundled small, and its names those of its content.
func small() api.BuildOptions {
	return api.BuildOptions{
		EntryNames:        "[name]-[hash]",
		AssetNames:        "[name]-[hash]",
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		// What is five years old still has to play.
		Engines: []api.Engine{
			{Name: api.EngineChrome, Version: "96"},
			{Name: api.EngineFirefox, Version: "94"},
			{Name: api.EngineSafari, Version: "15"},
		},
	}
}

// assetURL is the path under which an asset is served to those who read a language: that of "phone.js" is "/static/de/phone-4DXAKQ2M.js". A name that was not
// bundled is an error, which stops the template that asked for it.
func assetURL(l *words.Language, name string) (string, error) {
	bundled := looks
	if path.Ext(name) == ".js" {
		bundled = scripts[l.Code]
	}
	assets, err := bundled()
	if err != nil {
		return "", err
	}
	url, ok := assets.urls[name]
	if !ok {
		return "", fmt.Errorf("no asset is called %q", name)
	}
	return url, nil
}

// firstFonts are those that the pages of a language begin with: the one with the language's own letters, where it writes more than English, and none where it is
// written in the system's.
func firstFonts(l *words.Language) []string {
	if l.Direction() == "rtl" {
		return nil
	}
	own := "figtree-" + l.Code + ".woff2"
	if _, err := assetURL(l, own); err != nil {
		return []string{"figtree-latin.woff2"}
	}
	return []string{own}
}

// static serves the assets under /static/. Their names change with their content, so browsers keep them for good.
func (s *Server) static(w http.ResponseWriter, r *request) error {
	bundled := looks
	if ofLanguage, ok := scripts[path.Base(path.Dir(r.URL.Path))]; ok {
		bundled = ofLanguage
	}
	assets, err := bundled()
	if err != nil {
		return err
	}
	file, ok := assets.files[r.URL.Path]
	if !ok {
		http.NotFound(w, r.Request)
		return nil
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	file.serve(w, r.Request)
	return nil
}

// serve answers with the file in the smallest encoding that the client takes. How long that may be kept is the caller's to say.
func (file asset) serve(w http.ResponseWriter, r *http.Request) {
	header, body, etag := w.Header(), file.plain, file.etag
	if file.gzipped != nil {
		header.Set("Vary", "Accept-Encoding")
		switch {
		case accepts(r, "br"):
			header.Set("Content-Encoding", "br")
			body, etag = file.brotli(), etag+"-br"
		case accepts(r, "gzip"):
			header.Set("Content-Encoding", "gzip")
			body, etag = file.gzipped, etag+"-gzip"
		}
	}
	etag = strconv.Quote(etag)
	header.Set("ETag", etag)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", file.contentType)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) // a browser that went away needs no answer
}

func entryPoints(patterns []string) ([]api.EntryPoint, error) {
	var entries []api.EntryPoint
	add := func(input, name string) {
		entries = append(entries, api.EntryPoint{InputPath: input, OutputPath: name})
	}
	for _, pattern := range patterns {
		found, err := fs.Glob(sources, pattern)
		if err != nil {
			return nil, err
		}
		for _, input := range found {
			switch base := path.Base(input); {
			case strings.HasPrefix(base, "main."):
				add(input, path.Base(path.Dir(input)))
			case base != "tokens.css" && base != "base.css":
				add(input, strings.TrimSuffix(base, path.Ext(base)))
			}
		}
	}
	return entries, nil
}

// bundle runs esbuild over the embedded sources, which then speak the language. The paths of what comes out begin with the folder.
func bundle(entries []api.EntryPoint, options api.BuildOptions, l *words.Language, folder string) ([]api.OutputFile, error) {
	options.EntryPointsAdvanced = entries
	options.Bundle = true
	options.Format = api.FormatESModule
	options.JSX = api.JSXAutomatic
	options.JSXImportSource = "preact"
	options.AbsWorkingDir = "/"
	options.Outdir = folder
	options.PublicPath = folder + "/"
	options.Plugins = []api.Plugin{{Name: "embedded", Setup: func(build api.PluginBuild) { readEmbedded(build, l) }}}
	result := api.Build(options)
	if len(result.Errors) > 0 {
		messages := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, errors.New("bundling: " + strings.Join(messages, "\n"))
	}
	return result.OutputFiles, nil
}

// vendored says where the packages are that the sources import by name.
var vendored = map[string]string{
	"preact":             "app/vendor/preact/dist/preact.mjs",
	"preact/hooks":       "app/vendor/preact/hooks/dist/hooks.mjs",
	"preact/jsx-runtime": "app/vendor/preact/jsx-runtime/dist/jsxRuntime.mjs",
}

// readEmbedded makes esbuild read the embedded files in place of the disk's, with what our scripts say said in the language.
func readEmbedded(build api.PluginBuild, l *words.Language) {
	build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		if strings.HasPrefix(args.Path, "node:") {
			return api.OnResolveResult{Path: args.Path, External: true}, nil
		}
		name, ok := vendored[args.Path]
		switch {
		case ok:
		case args.Kind == api.ResolveEntryPoint:
			name = args.Path
		default:
			name = path.Join(path.Dir(args.Importer), args.Path)
		}
		for _, suffix := range []string{"", ".ts", ".tsx"} {
			if info, err := fs.Stat(sources, name+suffix); err == nil && !info.IsDir() {
				return api.OnResolveResult{Path: name + suffix, Namespace: "embedded"}, nil
			}
		}
		return api.OnResolveResult{}, fmt.Errorf("%s is neither embedded nor vendored", args.Path)
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "embedded"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		content, err := sources.ReadFile(args.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		text := string(content)
		if loader := loaders[path.Ext(args.Path)]; loader == api.LoaderTS || loader == api.LoaderTSX {
			text = l.Script(text)
		}
		return api.OnLoadResult{Contents: &text, Loader: loaders[path.Ext(args.Path)]}, nil
	})
}

var loaders = map[string]api.Loader{
	".ts": api.LoaderTS, ".tsx": api.LoaderTSX, ".mjs": api.LoaderJS, ".css": api.LoaderCSS,
	".woff2": api.LoaderCopy, ".svg": api.LoaderCopy, ".png": api.LoaderCopy,
}

var contentTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".woff2": "font/woff2", ".svg": "image/svg+xml", ".png": "image/png",
}

func newAsset(file api.OutputFile) (asset, error) {
	extension := path.Ext(file.Path)
	a := asset{
		contentType: contentTypes[extension],
		etag:        strings.TrimSuffix(path.Base(file.Path), extension),
		plain:       file.Contents,
	}
	if slices.Contains([]string{".woff2", ".png"}, extension) {
		return a, nil
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return asset{}, err
	}
	if _, err := w.Write(file.Contents); err != nil {
		return asset{}, err
	}
	if err := w.Close(); err != nil {
		return asset{}, err
	}
	a.gzipped = packed.Bytes()
	a.brotli = sync.OnceValue(func() []byte { return brotlied(file.Contents) })
	return a, nil
}

// unhashed is the name without esbuild's hash: "phone-4DXAKQ2M.js" is "phone.js".
func unhashed(name string) string {
	extension := path.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	return stem[:strings.LastIndexByte(stem, '-')] + extension
}

func brotlied(content []byte) []byte {
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, brotli.BestCompression)
	// Writing to memory cannot fail.
	_, _ = w.Write(content)
	_ = w.Close()
	return packed.Bytes()
}

// accepts reports whether the client takes what is encoded so.
func accepts(r *http.Request, encoding string) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.TrimSpace(name) == encoding {
			return !slices.Contains([]string{"q=0", "q=0.0", "q=0.00", "q=0.000"}, strings.TrimSpace(weight))
		}
	}
	return false
}
