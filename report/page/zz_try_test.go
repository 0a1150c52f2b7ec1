package page
import ("testing";"os";"labctl/report";"labctl/audit";"labctl/audit/card")
func TestTry(t *testing.T){
 for in,out := range map[string]string{"../../results/articles.json":"/tmp/pg/articles.html","../../results/check/metastable.json":"/tmp/pg/meta.html","../../results/check/fleet.json":"/tmp/pg/fleet.html","/tmp/pg/jh.json":"/tmp/pg/jh.html","/tmp/pg/dag.json":"/tmp/pg/dag.html","/tmp/pg/nested-retry.json":"/tmp/pg/nr.html","/tmp/pg/storm.json":"/tmp/pg/storm.html","/tmp/pg/bulkhead.json":"/tmp/pg/bh.html"} {
  f,err:=os.Open(in); if err!=nil{continue}
  rs,err:=report.ReadJSON(f); if err!=nil{t.Fatal(err)}
  o,_:=os.Create(out)
  if err:=Write(o,Content{Results:rs});err!=nil{t.Fatal(err)}
  o.Close()
 }
 var as []audit.Audit
 for _,n:=range []string{"curl","chain"} { data,_:=os.ReadFile("../../audit/card/testdata/"+n+".json"); a,err:=card.Read(data); if err!=nil{t.Fatal(err)}; as=append(as,a)}
 o,_:=os.Create("/tmp/pg/audit.html")
 if err:=Write(o,Content{Audits:as});err!=nil{t.Fatal(err)}
 o.Close()
}
