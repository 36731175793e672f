import { settingNames } from '../../../src/shared/website.ts'
import { stateAt } from '../service/records.ts'
import { isFulfilled, nextIntent } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'

/** Finds differences between the list and the service after a refresh with nothing pending. */
export function judgeScreens({ app, service, time }: World): Finding[] {
  const shown = app.websites().filter(({ state }) => state === 'synced')
  const present = service.present('1')
  const wrong = shown.flatMap((website): Finding[] => {
    const record = present.find(({ id, number }) => website.id === id || website.id === String(number))
    if (record === undefined) return [{ count: 'wrong', text: `${website.domain}: shown, and it isn't there` }]
    const fields = stateAt(record, time.now)?.fields
    return settingNames.flatMap((name): Finding[] => {
      const value = website[name]
      if (value === undefined || fields === undefined) return []
      const intent = nextIntent(name, { [name]: value }, {}, undefined, 0)
      return isFulfilled(intent, fields)
        ? []
        : [{ count: 'wrong', text: `${website.domain}: ${name} is shown with another value` }]
    })
  })
  const domains = new Set(app.websites().map(({ domain }) => domain))
  // A website that the user has to decide about, or that is being deleted, may have a successor with its domain.
  const rows = shown.map(({ domain }) => domain)
  const doubled = rows
    .filter((domain, at) => rows.indexOf(domain) !== at)
    .map((domain): Finding => ({ count: 'wrong', text: `${domain}: shown twice` }))
  const missing = present
    .filter(({ domain }) => !domains.has(domain))
    .map(({ domain }): Finding => ({ count: 'wrong', text: `${domain}: there, and not shown` }))
  return [...wrong, ...doubled, ...missing]
}
