package report

import (
	"bytes"
	"testing"
)

func TestWriteGitHub(t *testing.T) {
	var b bytes.Buffer
	err := WriteGitHub(&b,
		Annotation{Level: AnnotateError, File: "a,b:c.yaml", Line: 7, Column: 12, Title: "100 %, or: more", Message: "100 % of a:b,c\r\nnext\n::error::forged"},
		Annotation{Level: AnnotateWarning, Line: 7, Message: "of no file"},
		Annotation{Level: AnnotateWarning, File: "f", Column: 7, Message: evil},
	)
	want := "::error file=a%2Cb%3Ac.yaml,line=7,col=12,title=100 %25%2C or%3A more::100 %25 of a:b,c%0Anext%0A::error::forged\n" +
		"::warning::of no file\n" +
		"::warning file=f::a|b%0A<script>alert(1)</script> \ufffdesrever\ufffd[31m`x` \ufffd2J @team\n"
	if err != nil || b.String() != want {
		t.Errorf("%v\n got  %s want %s", err, b.String(), want)
	}
}
