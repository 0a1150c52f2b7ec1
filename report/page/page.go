package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"io/fs"

	"labctl/audit"
	"labctl/report"
	"labctl/report/page/assets"
)

// Content is what a page shows, in this order.
type Content struct {
	Results []report.Result
	Audits  []audit.Audit
}

//go:embed assets/*.tmpl assets/page.css assets/page.js
var own embed.FS

// Write makes the page. The same content gives the same bytes.
func Write(w io.Writer, c Content) error {
	t, err := template.New("").ParseFS(own, "assets/*.tmpl")
	if err != nil {
		return err
	}
	v := newView(c)
	v.Script, v.Style = ownScript(), ownStyle()
	v.Policy = policy(string(v.Script), string(v.Style))
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "page", v); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// ownScript is uPlot, with the licence that goes with every copy of it, and what draws
// the page's charts.
func ownScript() template.JS {
	licence, chart := text(assets.UPlot(), "LICENSE"), text(assets.UPlot(), "uPlot.iife.min.js")
	return template.JS("/*\nuPlot\n\n" + licence + "*/\n" + chart + "\n" + text(own, "assets/page.js"))
}

func ownStyle() template.CSS {
	return template.CSS(text(assets.UPlot(), "uPlot.min.css") + "\n" + text(own, "assets/page.css"))
}

// text is a file that is part of the program, so that it is there.
func text(files fs.FS, name string) string {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		panic("page: " + err.Error())
	}
	return string(data)
}

// policy allows the page's own script and style by their content, and nothing else:
// no other script, no connection, no image, no frame.
func policy(script, style string) string {
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) + "; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
