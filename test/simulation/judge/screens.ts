import { stateAt } from '../service/records.ts'
import { notAsShown } from '../ledger/intent.ts'
import type { EditView } from '../../../src/shared/edit.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'

export function judgeScreens({ app, service, time }: World): Finding[] {
  const shown = app.websites().filter(({ state }) => state === 'synced')
  const present = service.present('1')
  const wrong = shown.flatMap((website): Finding[] => {
    const record = present.find(({ id, number }) => website.id === id || website.id === String(number))
    if (record === undefined) return [{ count: 'wrong', text: `${website.domain}: shown, and it isn't there` }]
    const fields = stateAt(record, time.now)?.fields
    if (fields === undefined) return []
    return notAsShown(website, fields).map((name): Finding => ({
      count: 'wrong',
      text: `${website.domain}: ${name} is shown with another value`,
    }))
  })
  const domains = new Set(app.websites().map(({ domain }) => domain))
  // A website that the user has to decide about, or that is being deleted, may have a successor with its domain. A create that
  // asks about an existing website is listed in its place, unless that website has edits of its own
  // (docs/sync.md#one-row-for-one-website).
  const isAboutExisting = ({ kind, ways }: EditView) =>
    ways.includes('adopt') || (kind === 'create' && ways.includes('delete'))
  const adopting = app.edits().flatMap((edit) => (isAboutExisting(edit) ? [edit.website] : []))
  const rows = [
    ...shown,
    ...app.websites().filter(({ key, state }) => state === 'parked' && adopting.includes(key)),
  ].map(({ domain }) => domain)
  const doubled = rows
    .filter((domain, at) => rows.indexOf(domain) !== at)
    .map((domain): Finding => ({ count: 'wrong', text: `${domain}: shown twice` }))
  const missing = present
    .filter(({ domain }) => !domains.has(domain))
    .map(({ domain }): Finding => ({ count: 'wrong', text: `${domain}: there, and not shown` }))
  return [...wrong, ...doubled, ...missing]
}
