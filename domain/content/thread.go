package content

import "strings"

// Thread says how records of a conversation belong together, so that moderators see the context of
// a reported one.
type Thread struct {
	Column string // records with the same value form one thread
	Order  string // the column that orders a thread
	// Parent is the column with the key of the parent record, for example of the post that a
	// comment answers. It can also be the id of a content type of the same plugin, whose key is
	// then in Column; "" for none.
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
