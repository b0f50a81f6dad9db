package richtext

// Links returns the addresses of the document's links, in order.
func (d Doc) Links() []string { return appendLinks(nil, d.content) }

func appendLinks(all []string, nodes []node) []string {
	for i := range nodes {
		for _, m := range nodes[i].marks() {
			if href := attrOf[string](m.attrs, "href"); m.kind == link && (len(all) == 0 || all[len(all)-1] != href) {
				all = append(all, href)
			}
		}
		all = appendLinks(all, nodes[i].content)
	}
	return all
}
