package report

import "github.com/docketmod/docket/domain/policy"

// The types of the events of second opinions. They are internal: they do not change the version of the report.
const (
	SecondDecidedType Type = "second_decided"
	SecondSettledType Type = "second_settled"
)

// SecondDecided records a second opinion: what somebody decided without knowing the decision. The
// report does not change.
type SecondDecided struct {
	noWords
	SecondID   string      `json:"secondId"`
	Decision   string      `json:"decision"` // the id of its event
	Resolution Resolution  `json:"resolution"`
	Policy     *policy.Ref `json:"policy,omitempty"`
	// Agreed is set if the two decisions agree.
	Agreed bool `json:"agreed"`
	// Golden is set if the answer was known, and the task was a test of the reviewer.
	Golden bool `json:"golden,omitempty"`
}

// SecondSettled records a third person's ruling on a decision that the second opinion disputes.
type SecondSettled struct {
	SecondID string             `json:"secondId"`
	Decision string             `json:"decision"`
	Stands   bool               `json:"stands"`
	Words    SecondSettledWords `json:"-"`
}

// SecondSettledWords is the evidence of SecondSettled.
type SecondSettledWords struct {
	Reason string `json:"reason"`
}

// EventType implements Fact.
func (*SecondDecided) EventType() Type { return SecondDecidedType }
func (*SecondSettled) EventType() Type { return SecondSettledType }

func (f *SecondSettled) words() any { return &f.Words }
