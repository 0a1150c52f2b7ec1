package main

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// The file asks for nothing outside of itself.
func TestPackedPageStandsAlone(t *testing.T) {
	data, err := pack([]byte("the program"), []byte("loader('</script>');"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, bad := range []string{` src=`, `rel="stylesheet"`, "fetch(", "loader('</script>')"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, href := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(href[1], "data:") {
			t.Errorf("the page refers to %q", href[1])
		}
	}
	if opened, closed := strings.Count(page, "<script"), strings.Count(page, "</script>"); opened != closed {
		t.Errorf("%d scripts begin and %d end", opened, closed)
	}
}

// Each module that another one imports is there, under the name that it is imported by.
func TestImportsAreInTheMap(t *testing.T) {
	data, err := pack(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)<script type="importmap">(.*?)</script>`).FindSubmatch(data)
	var modules struct{ Imports map[string]string }
	if m == nil || json.Unmarshal(m[1], &modules) != nil || len(modules.Imports) < 8 {
		t.Fatalf("import map %s", m)
	}
	for name, address := range modules.Imports {
		source, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(address, "data:text/javascript;base64,"))
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range regexp.MustCompile(`from "([^"]+)"`).FindAllSubmatch(source, -1) {
			if modules.Imports[string(other[1])] == "" {
				t.Errorf("%s imports %s, which is not there", name, other[1])
			}
		}
	}
}
