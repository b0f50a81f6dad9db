// Files a report with the generated types, claims it and prints what it reads, also of the live
// feed: the arguments are the address of a server and a moderator's token.
import { createClient } from './index.js'

declare const process: { argv: string[] }
const [, , server, token] = process.argv
const client = createClient(server, token)

const live = await client.GET('/moderation/live', { parseAs: 'stream' })
if (!live.data) throw new Error(JSON.stringify(live.error))

const filed = await client.POST('/moderation/reports', {
  body: { pluginId: 'forum', targetType: 'forum.post', targetId: '2', reason: 'spam' },
})
if (!filed.data) throw new Error(JSON.stringify(filed.error))
const { id, version } = filed.data
const claimed = await client.POST('/moderation/reports/{id}/claim', { params: { path: { id } }, body: { expectedVersion: version } })
if (!claimed.data) throw new Error(JSON.stringify(claimed.error))
const { status, assignee, snapshot, decision } = claimed.data
console.log(status, assignee?.name, snapshot?.fields.length, decision === null)
let feed = ''
for await (const text of live.data.pipeThrough(new TextDecoderStream())) {
  feed += text
  if (feed.includes('event: assigned')) break
}
console.log('event: assigned')

// @ts-expect-error the document has no such reason
const wrong = await client.POST('/moderation/reports', { body: { pluginId: 'forum', targetType: 'forum.post', targetId: '3', reason: 'dull' } })
console.log(wrong.response.status)
