package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"labctl/audit/proxy"
)

// showRecipes lists what --proxy knows, or prints the configurations of the proxies that
// were given, as they would be started.
func (f *auditFlags) showRecipes(s streams) error {
	var b strings.Builder
	for _, text := range f.proxies {
		recipe, options, err := proxy.Parse(text)
		if err != nil {
			return fmt.Errorf("--proxy %s: %w", text, err)
		}
		c, err := recipe.Config(proxy.Setup{Listen: "127.0.0.1:8080", Upstreams: []string{"127.0.0.1:9001"}, Options: options, Dir: "."})
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			fmt.Fprintf(&b, "# %s\n%s\n", name, strings.TrimRight(c.Files[name], "\n"))
		}
	}
	if len(f.proxies) == 0 {
		listRecipes(&b, page(s.out))
	}
	_, err := fmt.Fprint(s.out, b.String())
	return written(err)
}

func listRecipes(b *strings.Builder, width int) {
	for i, name := range proxy.Names() {
		recipe, err := proxy.Named(name)
		if err != nil {
			continue // it is in the list
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		state := "not installed"
		if _, found := proxy.Installed(recipe); found {
			state = "installed"
		}
		fmt.Fprintf(b, "%s (%s, %s)\n", name, recipe.Title, state)
		var rows [][]string
		for _, o := range recipe.Options {
			rows = append(rows, []string{o.Name, string(o.Kind), o.Doc})
		}
		b.WriteString(columns(2, rows, width))
	}
}
