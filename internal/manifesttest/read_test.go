package manifesttest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

const golden = "../../topology/export/testdata"

// A manifest is one document, as its text and as an object of the API.
type manifest struct {
	text   []byte
	object any
}

// types are all kinds that an export writes.
var types = map[string]func() any{
	"v1 ConfigMap":                       func() any { return &corev1.ConfigMap{} },
	"v1 Service":                         func() any { return &corev1.Service{} },
	"apps/v1 Deployment":                 func() any { return &appsv1.Deployment{} },
	"batch/v1 Job":                       func() any { return &batchv1.Job{} },
	"networking.k8s.io/v1 NetworkPolicy": func() any { return &networkingv1.NetworkPolicy{} },
}

// cases are the folders below golden/format.
func cases(t *testing.T, format string) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(golden, format, "*"))
	if err != nil || len(dirs) < 3 {
		t.Fatalf("%d cases of %s, and there should be 3 or more: %v", len(dirs), format, err)
	}
	return dirs
}

// decode reads all manifests of a folder. A field that the API does not know, or that
// stands twice, is an error.
func decode(t *testing.T, dir string) []manifest {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests in %s: %v", dir, err)
	}
	var out []manifest
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(data, []byte("\n---\n")) {
			object, err := strict(doc)
			if err != nil {
				t.Fatalf("%s: %v\n%s", f, err, doc)
			}
			out = append(out, manifest{doc, object})
		}
	}
	return out
}

func strict(doc []byte) (any, error) {
	var kind struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal(doc, &kind); err != nil {
		return nil, err
	}
	object := types[kind.APIVersion+" "+kind.Kind]()
	return object, yaml.UnmarshalStrict(doc, object)
}

// the is the only object of a type and name.
func the[T any](t *testing.T, all []manifest, named func(T) bool) T {
	t.Helper()
	var found []T
	for _, m := range all {
		if o, is := m.object.(T); is && named(o) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d objects, and there should be one", len(found))
	}
	return found[0]
}

// A text that tries to be more than a text is one still.
func TestTheFileArrivesAsItIs(t *testing.T) {
	for _, dir := range cases(t, "kubernetes") {
		name := filepath.Base(dir)
		if name == "sweep" {
			name = "chain"
		}
		want, err := os.ReadFile(filepath.Join(golden, "labs", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		config := the(t, decode(t, dir), func(*corev1.ConfigMap) bool { return true })
		if config.Data["lab.yaml"] != string(want) {
			t.Errorf("%s: got %q, want %q", dir, config.Data["lab.yaml"], want)
		}
	}
}

// One Deployment and one Service for each service, and as many indices as herds.
func TestObjectsOfALab(t *testing.T) {
	all := decode(t, filepath.Join(golden, "kubernetes", "hostile"))
	var deployments, services []string
	for _, m := range all {
		switch o := m.object.(type) {
		case *appsv1.Deployment:
			deployments = append(deployments, o.Name)
		case *corev1.Service:
			services = append(services, o.Name)
		}
	}
	want := "hostile-on hostile-auth-api hostile-null hostile-n4ever"
	if strings.Join(deployments, " ") != want || !slices.Equal(deployments, services) {
		t.Errorf("got %v and %v, want %s", deployments, services, want)
	}
	job := the(t, all, func(*batchv1.Job) bool { return true })
	if *job.Spec.Completions != 3 || *job.Spec.Parallelism != 3 || *job.Spec.CompletionMode != batchv1.IndexedCompletion {
		t.Errorf("the herd's job is %+v", job.Spec)
	}
}

func TestStrictDecodingSees(t *testing.T) {
	for _, doc := range []string{
		"apiVersion: v1\nkind: Service\nspec: {selectors: {a: b}}",
		"apiVersion: v1\nkind: Service\nspec: {selector: {a: b}, selector: {c: d}}",
		"apiVersion: v1\nkind: Service\nspec: {ports: [{port: eighty}]}",
	} {
		if _, err := strict([]byte(doc)); err == nil {
			t.Errorf("%q passes", doc)
		}
	}
}
