package report

import "github.com/docketmod/docket/domain/measure"

// Delivery is the state of the last request about a measure to the platform that holds the content; "" if there was
// none.
type Delivery string

// The states of a request.
const (
	DeliveryPending Delivery = "pending"
	DeliveryFailed  Delivery = "failed" // the platform refused, or could not be reached
	DeliveryDone    Delivery = "done"
)

// MeasurePending records that the platform was requested to carry out a measure or to end it. The id of its event is
// the id of the message to the platform. A request to end a measure replaces a pending one to carry it out.
type MeasurePending struct {
	noWords
	MeasureOrder
}

// MeasureConfirmed records that the platform carried out a request.
type MeasureConfirmed struct {
	noWords
	MeasureOrder
	Requested int  `json:"requested"` // the sequence of the request
	Changed   bool `json:"changed"`
}

// MeasureFailed records that the platform refused a request, or that it could not be delivered.
type MeasureFailed struct {
	MeasureOrder
	Code      FailureCode       `json:"code"`
	Requested int               `json:"requested"` // the sequence of the request
	Words     ActionFailedWords `json:"-"`
}

// MeasureOrder is what a platform is requested to do about an author.
type MeasureOrder struct {
	MeasureID string         `json:"measureId"`
	Author    measure.Author `json:"author"`
	Kind      measure.Kind   `json:"kind"`
	Ends      bool           `json:"ends,omitempty"` // lift the measure
}

// EventType implements Fact.
func (*MeasurePending) EventType() Type   { return MeasurePendingType }
func (*MeasureConfirmed) EventType() Type { return MeasureConfirmedType }
func (*MeasureFailed) EventType() Type    { return MeasureFailedType }

func (f *MeasureFailed) words() any { return &f.Words }

func (f *MeasurePending) outcome(_ State, sequence int, o ActionOutcome) Fact {
	if o.Failed != "" {
		return &MeasureFailed{MeasureOrder: f.MeasureOrder, Code: o.Failed, Requested: sequence, Words: ActionFailedWords{o.Reason}}
	}
	return &MeasureConfirmed{MeasureOrder: f.MeasureOrder, Requested: sequence, Changed: o.Changed}
}

// pendingMeasure returns the state after the request that e records.
func pendingMeasure(s State, e Event, f *MeasurePending) State {
	for _, p := range s.Pending {
		if p.MeasureID == f.MeasureID {
			s = settled(s, p.Sequence)
		}
	}
	s.Pending = append(s.Pending[:len(s.Pending):len(s.Pending)], PendingAction{MeasureID: f.MeasureID, Sequence: e.Sequence})
	s.Measures = measured(s.Measures, e)
	return s
}
