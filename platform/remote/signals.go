package remote

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/signal"
)

// signals reads the member `signals`.
func (o object) signals(required bool) (all []signal.Signal) {
	for i, raw := range o.list("signals", signal.MaxSignals, required) {
		one := o.faults.readObject(fmt.Sprintf("%ssignals[%d]", o.path, i), raw)
		all = append(all, signal.Signal{Name: domain.OrEmpty(one.text("name", maxLine, true)), Score: one.number("score")})
	}
	for _, issue := range signal.Check(all) {
		o.faults.add(o.path+"signals"+issue.Path, issue.Code, issue.Message)
	}
	return all
}

// number reads a required number.
func (o object) number(name string) (n float64) {
	if v := o.member(name, true); v != nil && json.Unmarshal(v, &n) != nil {
		o.faults.add(o.path+name, codeWrongType, "Must be a number.")
	}
	return n
}
