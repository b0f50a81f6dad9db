// The renderer asks for no other file and no other host: the page's policy forbids both.
import 'openapi-explorer';
