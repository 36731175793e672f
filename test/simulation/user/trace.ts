import { settingNames, type WebsiteView } from '../../../src/shared/website.ts'
import type { App } from '../app/app.ts'
import type { Changes } from '../ledger/intent.ts'

const SHOWN = 'shown'

/**
 * Returns the evidence that changes were stored: that they are shown, and when their edits last changed. The edits are
 * needed because a password is not shown, and a field that was set back to its base shows later remote changes.
 */
export function traceOf(app: App, key: string, changes: Changes): string[] {
  const edits = app.edits().filter(({ website }) => website === key)
  const changed = edits.map(({ id, changedAt }) => `${id} ${changedAt}`)
  return isShown(app.view.get(key), changes) ? [SHOWN, ...changed] : changed
}

/** True if changes reached the disk although their answer was lost. */
export const isTaken = (app: App, key: string, changes: Changes, before: readonly string[]): boolean =>
  traceOf(app, key, changes).some((trace) => !before.includes(trace)) || before.some((trace) => isNoMore(app, trace))

/** True if an edit is gone without an entry in the history, because all of it was set back. */
function isNoMore(app: App, trace: string): boolean {
  const [id = ''] = trace.split(' ')
  return trace !== SHOWN && ![...app.edits(), ...app.history()].some((one) => one.id === id)
}

const isShown = (website: WebsiteView | null, changes: Changes): boolean =>
  website !== null &&
  settingNames.every((name) => {
    const value = changes[name]
    return value === undefined || JSON.stringify(website[name]) === JSON.stringify(value)
  })
