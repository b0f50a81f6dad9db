package richtext

// kind is a node type of the allowlist.
type kind struct {
	name  string
	tag   string // its HTML element, if there is one
	group group
	rules []attrRule // in the order in which they are written
}

// group is what a node may contain.
type group int

const (
	container group = iota // blocks
	textblock              // text and other inline nodes
	leafBlock              // nothing
	inline                 // nothing; it must be in a textblock
)

// holdsBlocks reports whether nodes of this kind contain blocks. nil means the document.
func (k *kind) holdsBlocks() bool { return k == nil || k.group == container }

// markKind is a mark type of the allowlist.
type markKind struct {
	name  string
	tag   string
	rules []attrRule
}

// The allowed node types, by Tiptap's names.
var (
	paragraph      = &kind{name: "paragraph", tag: "p", group: textblock}
	text           = &kind{name: "text", group: inline}
	heading        = &kind{name: "heading", group: textblock, rules: []attrRule{{name: "level", read: between(1, 6)}}}
	blockquote     = &kind{name: "blockquote", tag: "blockquote"}
	bulletList     = &kind{name: "bulletList", tag: "ul"}
	orderedList    = &kind{name: "orderedList", tag: "ol", rules: []attrRule{{name: "start", read: between(0, 1_000_000_000)}, {name: "type", read: oneOf("1", "a", "A", "i", "I")}}}
	listItem       = &kind{name: "listItem", tag: "li"}
	taskList       = &kind{name: "taskList", tag: "ul"}
	taskItem       = &kind{name: "taskItem", tag: "li", rules: []attrRule{{name: "checked", read: boolean}}}
	codeBlock      = &kind{name: "codeBlock", tag: "pre", group: textblock, rules: []attrRule{{name: "language", read: languageName}}}
	table          = &kind{name: "table", tag: "table"}
	tableRow       = &kind{name: "tableRow", tag: "tr"}
	tableHeader    = &kind{name: "tableHeader", tag: "th", rules: cellRules}
	tableCell      = &kind{name: "tableCell", tag: "td", rules: cellRules}
	horizontalRule = &kind{name: "horizontalRule", tag: "hr", group: leafBlock}
	hardBreak      = &kind{name: "hardBreak", tag: "br", group: inline}
	image          = &kind{name: "image", group: inline, rules: []attrRule{
		{name: "src", read: imageURL, required: true}, {name: "alt", read: anyText}, {name: "title", read: anyText},
		{name: "width", read: between(0, 100_000)}, {name: "height", read: between(0, 100_000)},
	}}
)

var cellRules = []attrRule{
	{name: "colspan", read: between(1, 1000)},
	{name: "rowspan", read: between(1, 1000)},
	{name: "colwidth", read: widths},
	{name: "align", read: oneOf("left", "center", "right")},
}

// The allowed mark types, by Tiptap's names.
var (
	link = &markKind{name: "link", tag: "a", rules: []attrRule{
		{name: "href", read: linkURL, required: true}, {name: "target", read: oneOf("_blank", "_self", "_parent", "_top")},
		{name: "rel", read: relation}, {name: "class", read: nothing}, {name: "title", read: anyText},
	}}
	bold        = &markKind{name: "bold", tag: "strong"}
	italic      = &markKind{name: "italic", tag: "em"}
	underline   = &markKind{name: "underline", tag: "u"}
	strike      = &markKind{name: "strike", tag: "s"}
	subscript   = &markKind{name: "subscript", tag: "sub"}
	superscript = &markKind{name: "superscript", tag: "sup"}
	code        = &markKind{name: "code", tag: "code"}
)

// kinds and markKinds are all of them, the most frequent first.
var (
	kinds = []*kind{
		text, paragraph, hardBreak, listItem, heading, bulletList, orderedList, blockquote, image,
		codeBlock, tableCell, tableRow, tableHeader, table, taskItem, taskList, horizontalRule,
	}
	markKinds = []*markKind{link, bold, italic, underline, strike, subscript, superscript, code}
)

// kindOf returns the kind with the name, or nil.
func kindOf(name []byte) *kind {
	for _, k := range kinds {
		if k.name == string(name) {
			return k
		}
	}
	return nil
}

// markKindOf returns the kind of mark with the name, or nil.
func markKindOf(name string) *markKind {
	for _, k := range markKinds {
		if k.name == name {
			return k
		}
	}
	return nil
}
