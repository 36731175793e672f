import type { BulkChange } from '../../../shared/bulk-change.ts'
import { canRetryUndo, MAX_NAMED_WEBSITES, type BulkResult } from '../../../shared/bulk.ts'
import type { ConnectionView } from '../../../shared/connection.ts'
import type { ErrorCode } from '../../../shared/result.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { formatList, joinSentences } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import type { ToastDetail } from '../../app/toasts.svelte.ts'
import { m } from '../../../messages/index.ts'
import type { BaseApp } from '../../app/base-app.ts'

type App = Pick<BaseApp, 'bridge' | 'toasts' | 'appState'>

interface Options {
  /** The account of the bulk change; undefined: the shown account. Another account may be shown, and then the texts name it. */
  account?: Pick<ConnectionView, 'id' | 'name'> | null | undefined
  /** Called after each request that has undone a part of the bulk change. */
  onUndone?: () => void
}

/** Shows a toast with an undo of the bulk change. `done`: the text of the toast. `named`: true if it names the account. */
export function offerUndo(
  app: App,
  done: string,
  bulkChange: string,
  { named = false, ...options }: Options & { named?: boolean } = {},
): void {
  const run = (): Promise<void> => undoAndAskAboutSent(app, bulkChange, options)
  const text = named ? done : textFor(app, options.account, done)
  const action = { label: m.common_undo(), edit: bulkChange, bulk: true, run }
  app.toasts.show(text, action)
  // Ctrl+Z undoes changes of the shown account, and those that the user has made in an account that they chose for it.
  if (named || isShown(app, options.account)) app.toasts.keepUndo(action)
}

const isShown = ({ appState }: App, account: Options['account']): boolean =>
  !account || account.id === appState?.connection?.id

/** Returns the text, with the name of the account if another one is shown. */
const textFor = (app: App, account: Options['account'], text: string): string =>
  !account || isShown(app, account) ? text : m.bulk_in_account({ account: isolateText(account.name), text })

/** Undoes a bulk change from the Pending screen or with a command. */
export async function undoBulkChange(
  app: App & { tags: { reload(): Promise<void> } },
  { id }: Pick<BulkChange, 'id'>,
): Promise<void> {
  // An imported table may have changed tags and notes, for which main sends no event.
  await undoAndAskAboutSent(app, id, { onUndone: () => void app.tags.reload() })
}

/** Undoes everything that needs no question, and then asks once about the creates and deletes that were already sent. */
async function undoAndAskAboutSent(
  app: App,
  bulkChange: string,
  { account = app.appState?.connection, onUndone }: Options,
): Promise<void> {
  const { bridge, toasts, appState } = app
  toasts.forgetUndo(bulkChange)
  toasts.dropAbout(bulkChange)
  const other = account?.id === appState?.connection?.id ? null : account
  const request = { bulkChange, ...(other && { account: other.id }) }
  toasts.undoing = bulkChange
  const answer = await bridge.undoBulk(request)
  const isStillShown = toasts.undoing === bulkChange
  if (!answer.ok || answer.value.sent === undefined) toasts.undoing = null
  if (!answer.ok) return toasts.show(textFor(app, account, fullErrorText(answer.error)))
  onUndone?.()
  const show = (result: BulkResult, problem?: string): void => {
    const { text, details } = bulkUndoToast(result)
    toasts.show(textFor(app, account, joinSentences([text, problem])), undefined, details)
  }
  const undone = answer.value
  // The user has switched to another account, and would take the question to be about its websites.
  if (undone.sent === undefined || !isStillShown) return show(undone)
  toasts.question = {
    ...undone.sent,
    ...(other && { account: isolateText(other.name) }),
    async answer(agreed) {
      toasts.question = null
      const rest = await bridge.undoBulk({ ...request, agreed })
      toasts.undoing = null
      if (!rest.ok) return show(undone, fullErrorText(rest.error))
      onUndone?.()
      show(agreed ? withUndoOfSent(undone, rest.value) : undone)
    },
    close() {
      toasts.question = toasts.undoing = null
      show(undone)
    },
  }
}

/** Adds the result of the second request, which has undone the sent changes and tried failed undos again. */
function withUndoOfSent(undone: BulkResult, rest: BulkResult): BulkResult {
  const changed = undone.changed + rest.changed
  const queued = (undone.queued ?? 0) + (rest.queued ?? 0)
  const local = (undone.local ?? 0) + (rest.local ?? 0)
  const refused = [...undone.refused.filter(({ error }) => !canRetryUndo(error)), ...rest.refused]
  return { ...undone, changed, queued, local, refused, sent: rest.sent }
}

/** Returns the number of websites whose change was undone, will be undone, or was already undone. */
function undoCountsTexts({
  changed,
  queued = 0,
  local = 0,
  same,
}: Pick<BulkResult, 'changed' | 'queued' | 'local' | 'same'>): string[] {
  const done = changed + local - queued
  return [
    ...(done > 0 ? [m.bulk_undone({ count: done })] : []),
    ...(queued > 0 ? [m.bulk_undo_queued({ count: queued })] : []),
    ...(same > 0 ? [m.bulk_undo_same({ count: same })] : []),
  ]
}

/** Reasons to show after `bulk_undo_failed`, for errors whose own text is about a single website or repeats that message. */
const undoRefusalReasons: Partial<Record<ErrorCode, (inputs: { count: number }) => string>> = {
  'edit-gone': m.bulk_undo_failed_sent,
  'website-gone': m.bulk_undo_failed_gone,
  'domain-listed': m.bulk_undo_failed_domains,
}

/** Returns the websites whose undo failed, grouped by the reason. */
function refusedDetails(refused: BulkResult['refused']): ToastDetail[] {
  const byReason = Map.groupBy(refused, ({ error }) => fullErrorText(error))
  return [...byReason].map(([reason, of]) => {
    const code = of[0]?.error.code ?? 'internal'
    const count = of.length
    const bulkReason = count > 1 || code === 'domain-listed' ? undoRefusalReasons[code] : undefined
    return {
      text: joinSentences([m.bulk_undo_failed({ count }), bulkReason?.({ count }) ?? reason]),
      domains: of.map(({ domain }) => domain),
    }
  })
}

/**
 * Returns the result of the undo of a bulk change, with what is left: creates and deletes that were already sent and whose undo
 * needs the user's consent, values that were changed since, and fields whose former value isn't known.
 */
export function bulkUndoToast({
  changedSince = [],
  refused,
  sent,
  unknown,
  domainsWithUnknown = [],
  ...counts
}: Omit<BulkResult, 'bulkChange'>): {
  text: string
  details: ToastDetail[]
} {
  const left = [
    ...(changedSince.length > 0
      ? [{ text: m.bulk_undo_kept({ count: changedSince.length }), domains: changedSince }]
      : []),
    ...(sent === undefined ? [] : [{ text: m.bulk_undo_sent({ count: sent.count }), domains: sent.domains }]),
    ...refusedDetails(refused),
    ...(unknown.length > 0
      ? [{ text: m.bulk_undo_unknown({ fields: formatList(unknown.map(fieldLabel)) }), domains: domainsWithUnknown }]
      : []),
  ]
  const named = left.map(({ text, domains }) => ({
    text,
    domains: domains.filter((domain) => domain !== '').slice(0, MAX_NAMED_WEBSITES),
  }))
  const texts = [...undoCountsTexts(counts), ...left.map(({ text }) => text)]
  return {
    text: texts.length > 0 ? joinSentences(texts) : m.pending_undo_nothing(),
    details: named.filter(({ domains }) => domains.length > 0),
  }
}
