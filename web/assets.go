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
)

//go:embed app static
var sources embed.FS

// Assets are the scripts, styles, fonts and pictures of all pages, bundled when the server starts and kept in memory.
type Assets struct {
	files map[string]asset  // by path: "/static/phone-4DXAKQ2M.js"
	urls  map[string]string // by name: "phone.js" → its path
}

type asset struct {
	contentType string
	etag        string
	plain       []byte
	gzipped     []byte        // nil where compressing gains nothing
	brotli      func() []byte // the smallest; compressed when somebody first asks for it; nil as gzipped is
}

// bundledAssets are the same for every server of the process, since what is embedded does not change: they are bundled for the first.
var bundledAssets = sync.OnceValues(bundleAssets)

// bundleAssets bundles what is embedded: every app/NAME/main.ts or main.tsx becomes NAME.js, every style sheet of
// app/styles that is not only a part of others NAME.css, and the pictures in static keep their names.
func bundleAssets() (*Assets, error) {
	entries, err := entryPoints()
	if err != nil {
		return nil, fmt.Errorf("finding what to bundle: %w", err)
	}
	out, err := bundle(entries, small())
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

// URL is the path under which an asset is served: URL("phone.js") is "/static/phone-4DXAKQ2M.js". A name that was not
// bundled is an error, which stops the template that asked for it.
func (a *Assets) URL(name string) (string, error) {
	url, ok := a.urls[name]
	if !ok {
		return "", fmt.Errorf("no asset is called %q", name)
	}
	return url, nil
}

// ServeHTTP serves the assets under /static/. Their names change with their content, so browsers keep them for good.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := a.files[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	file.serve(w, r)
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

func entryPoints() ([]api.EntryPoint, error) {
	var entries []api.EntryPoint
	add := func(input, name string) {
		entries = append(entries, api.EntryPoint{InputPath: input, OutputPath: name})
	}
	for _, pattern := range []string{"app/*/main.ts", "app/*/main.tsx", "app/styles/*.css", "static/*.svg", "static/*.png"} {
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

// bundle runs esbuild over the embedded sources. The paths of what comes out begin with /static/.
func bundle(entries []api.EntryPoint, options api.BuildOptions) ([]api.OutputFile, error) {
	options.EntryPointsAdvanced = entries
	options.Bundle = true
	options.Format = api.FormatESModule
	options.JSX = api.JSXAutomatic
	options.JSXImportSource = "preact"
	options.AbsWorkingDir = "/"
	options.Outdir = "/static"
	options.PublicPath = "/static/"
	options.Plugins = []api.Plugin{{Name: "embedded", Setup: readEmbedded}}
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

// readEmbedded makes esbuild read the embedded files in place of the disk's.
func readEmbedded(build api.PluginBuild) {
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
