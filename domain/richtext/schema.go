package richtext

// kind is a node type or a mark type of the allowlist.
type kind struct {
	name  string
	group group      // of a node type
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

// The allowed node types, by Tiptap's names.
var (
	paragraph      = &kind{name: "paragraph", group: textblock}
	text           = &kind{name: "text", group: inline}
	heading        = &kind{name: "heading", group: textblock, rules: []attrRule{{name: "level", read: between(1, 6)}}}
	blockquote     = &kind{name: "blockquote"}
	bulletList     = &kind{name: "bulletList"}
	orderedList    = &kind{name: "orderedList", rules: []attrRule{{name: "start", read: between(0, 1_000_000_000)}, {name: "type", read: oneOf("1", "a", "A", "i", "I")}}}
	listItem       = &kind{name: "listItem"}
	taskList       = &kind{name: "taskList"}
	taskItem       = &kind{name: "taskItem", rules: []attrRule{{name: "checked", read: boolean}}}
	codeBlock      = &kind{name: "codeBlock", group: textblock, rules: []attrRule{{name: "language", read: languageName}}}
	table          = &kind{name: "table"}
	tableRow       = &kind{name: "tableRow"}
	tableHeader    = &kind{name: "tableHeader", rules: cellRules}
	tableCell      = &kind{name: "tableCell", rules: cellRules}
	horizontalRule = &kind{name: "horizontalRule", group: leafBlock}
	hardBreak      = &kind{name: "hardBreak", group: inline}
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
	link = &kind{name: "link", rules: []attrRule{
		{name: "href", read: linkURL, required: true}, {name: "target", read: oneOf("_blank", "_self", "_parent", "_top")},
		{name: "rel", read: relation}, {name: "class", read: nothing}, {name: "title", read: anyText},
	}}
	bold        = &kind{name: "bold"}
	italic      = &kind{name: "italic"}
	underline   = &kind{name: "underline"}
	strike      = &kind{name: "strike"}
	subscript   = &kind{name: "subscript"}
	superscript = &kind{name: "superscript"}
	code        = &kind{name: "code"}
)

// kinds has all node types and markKinds all mark types, the most frequent first.
var (
	kinds = []*kind{
		text, paragraph, hardBreak, listItem, heading, bulletList, orderedList, blockquote, image,
		codeBlock, tableCell, tableRow, tableHeader, table, taskItem, taskList, horizontalRule,
	}
	markKinds = []*kind{link, bold, italic, underline, strike, subscript, superscript, code}
)

// kindOf returns the kind with the name, or nil.
func kindOf(all []*kind, name []byte) *kind {
	for _, k := range all {
		if k.name == string(name) {
			return k
		}
	}
	return nil
}
