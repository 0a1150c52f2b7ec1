// Command pack writes the page of labctl ui as one HTML file, with the simulator as
// WebAssembly inside. It opens from a disk, without a server and without a network.
// See make static-page, which builds the simulator first.
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"labctl/report/page/assets"
	"labctl/ui"
)

//go:embed engine.js worker.js
var own embed.FS

func main() {
	wasm := flag.String("wasm", "", "the simulator, built with GOOS=js GOARCH=wasm from ./ui/wasm")
	loader := flag.String("loader", "", "wasm_exec.js of the Go that built it")
	out := flag.String("o", "labctl.html", "the file to write")
	flag.Parse()
	if err := run(*wasm, *loader, *out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(wasm, loader, out string) error {
	program, err := os.ReadFile(wasm)
	if err != nil {
		return err
	}
	exec, err := os.ReadFile(loader)
	if err != nil {
		return err
	}
	page, err := pack(program, exec)
	if err != nil {
		return err
	}
	return os.WriteFile(out, page, 0o644)
}

// contentPolicy lets the file run what is in it and nothing else; it has no network.
const contentPolicy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

// pack puts everything into the page.
func pack(program, loader []byte) ([]byte, error) {
	index, err := fs.ReadFile(ui.Page(), "index.html")
	if err != nil {
		return nil, err
	}
	inner, err := inside(program, loader)
	if err != nil {
		return nil, err
	}
	head, _, _ := strings.Cut(string(index), `<link rel="icon"`)
	_, body, ok := strings.Cut(string(index), "</head>")
	if !ok {
		return nil, fmt.Errorf("index.html has no head")
	}
	body = strings.Replace(body, "</body>", inner.late+"</body>", 1)
	return []byte(head + inner.early + "</head>" + body), nil
}

// parts are what goes into the head, and behind everything else.
type parts struct{ early, late string }

func inside(program, loader []byte) (parts, error) {
	page, uplot := ui.Page(), assets.UPlot()
	read := func(files fs.FS, name string) string {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // all of them are embedded
		}
		return string(data)
	}
	icon := base64.StdEncoding.EncodeToString([]byte(read(page, "icon.svg")))
	modules, err := importMap(page)
	if err != nil {
		return parts{}, err
	}
	packed, err := compressed(program)
	if err != nil {
		return parts{}, err
	}
	return parts{
		early: `<meta http-equiv="Content-Security-Policy" content="` + contentPolicy + `">` +
			`<link rel="icon" href="data:image/svg+xml;base64,` + icon + `">` +
			"<style>" + read(uplot, "uPlot.min.css") + read(page, "style.css") + "</style>\n" +
			"<!-- uPlot: " + strings.ReplaceAll(read(uplot, "LICENSE"), "--", "- -") + "-->\n" +
			"<script>" + inert(read(uplot, "uPlot.iife.min.js")) + "</script>\n" +
			`<script type="importmap">` + modules + "</script>\n",
		late: `<script type="text/plain" id="worker">` + inert(string(loader)+"\n"+read(own, "worker.js")) + "</script>\n" +
			`<script type="text/plain" id="program">` + packed + "</script>\n" +
			`<script type="module">import "labctl/app.js";</script>` + "\n",
	}, nil
}

// inert keeps a script from ending its own element.
func inert(script string) string { return strings.ReplaceAll(script, "</script", `<\/script`) }

var imported = regexp.MustCompile(`from "\./`)

// importMap has the modules of the page under names, since what has no address of its
// own cannot be imported by a relative one.
func importMap(page fs.FS) (string, error) {
	names, err := fs.Glob(page, "*.js")
	if err != nil {
		return "", err
	}
	imports := map[string]string{}
	for _, name := range names {
		files := page
		if name == "engine.js" {
			files = own
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		source = imported.ReplaceAll(source, []byte(`from "labctl/`))
		imports["labctl/"+name] = "data:text/javascript;base64," + base64.StdEncoding.EncodeToString(source)
	}
	text, err := json.Marshal(map[string]any{"imports": imports})
	return string(text), err
}

func compressed(data []byte) (string, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
