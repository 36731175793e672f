import { settingNames, type WebsiteView } from '../../../src/shared/website.ts'
import type { App } from '../app/app.ts'
import type { Changes } from '../ledger/intent.ts'

const SHOWN = 'shown'

/**
 * What tells that changes were taken: that they're shown, or when their edit was last changed. A password isn't shown, and a
 * field that was set back to its base shows what others have written since.
 */
export function traceOf(app: App, key: string, changes: Changes): string[] {
  const edits = app.edits().filter(({ website }) => website === key)
  const changed = edits.map(({ id, changedAt }) => `${id} ${changedAt}`)
  return isShown(app.view.get(key), changes) ? [SHOWN, ...changed] : changed
}

/** It reached the disk although nobody heard so. */
export const isTaken = (app: App, key: string, changes: Changes, before: readonly string[]): boolean =>
  traceOf(app, key, changes).some((trace) => !before.includes(trace)) || before.some((trace) => isNoMore(app, trace))

/** An edit that isn't there, and hasn't come to anything: all of it was set back. */
function isNoMore(app: App, trace: string): boolean {
  const [id = ''] = trace.split(' ')
  return trace !== SHOWN && ![...app.edits(), ...app.history()].some((one) => one.id === id)
}

/** Whether the website is as it was made. */
const isShown = (website: WebsiteView | null, changes: Changes): boolean =>
  website !== null &&
  settingNames.every((name) => {
    const wanted = changes[name]
    return wanted === undefined || JSON.stringify(website[name]) === JSON.stringify(wanted)
  })
