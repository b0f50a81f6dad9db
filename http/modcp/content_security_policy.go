package modcp

// ContentSecurityPolicy lets only the panel's own files run. Inline styles are allowed
// because Mantine writes its theme as a style element. Images of reported content come
// from anywhere over https, and only if a moderator asks for them. The API sends the same
// policy.
const ContentSecurityPolicy = "default-src 'self'; script-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
