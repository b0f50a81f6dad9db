package content

import "strings"

// Thread says how records of a conversation belong together, so that moderators see the context of
// a reported one.
type Thread struct {
	Column string // records with the same value are one thread
	Order  string // the column by which a thread is read
	// Parent is the column with the key of the record that one answers; or the id of a content type
	// of the same plugin, of which Column then holds the key; "" for none.
	Parent string
}

// ParentType returns the content type of parents, or "" if it is the same type. The dot
// distinguishes ids of content types from columns.
func (t *Thread) ParentType() string {
	if strings.Contains(t.Parent, ".") {
		return t.Parent
	}
	return ""
}

func (t *Type) checkThread(fault FaultFunc) {
	if t.Thread == nil {
		return
	}
	column(fault, "column", t.Thread.Column, true)
	column(fault, "order", t.Thread.Order, true)
	switch {
	case t.Thread.ParentType() != "" && !ValidTypeID(t.Thread.Parent):
		fault("parent", "%q is neither a column nor the id of a content type", t.Thread.Parent)
	case t.Thread.ParentType() == "":
		column(fault, "parent", t.Thread.Parent, false)
	}
}
