/** The id that a manifest gives its platform, or '' while it has none. */
export const idOf = (manifest: string): string => /^id:\s*["']?([a-z][a-z0-9_-]{0,63})["']?\s*(?:#.*)?$/m.exec(manifest)?.[1] ?? '';

/** What a new manifest starts from. */
export const example = `id: shop
remote: {url: "https://shop.example/docket", timeout: 3s}
remoteTypes:
  - id: shop.review
    label: shop.review
    permissionModule: reviews
    key: {kind: bigint}
    fields: {title: {kind: text}, body: {kind: richText}}
    reports: true
    actions: [{name: hide, undo: unhide, permission: can_hide}]
messages:
  en: {shop.review: "{count, plural, one {review} other {reviews}}"}
`;
