import { canRetryUndo, MAX_NAMED_WEBSITES, type BulkResult } from '../../shared/bulk.ts'
import { comparableDomain } from '../../shared/domain.ts'
import type { BulkChange } from '../../shared/bulk-change.ts'
import type { UndoOutcome } from '../../shared/edit.ts'
import { isListField } from '../../shared/fields.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import {
  fieldNames,
  PRIVACY,
  type FieldName,
  type SettingName,
  type WebsiteSettings,
  type WebsiteView,
} from '../../shared/website.ts'
import { isSameIgnoringOrder, namesIn, pickNamed } from '../outbox/model/compare.ts'
import { mergeLists } from '../outbox/model/merge-lines.ts'
import type { SaveOrderRange } from '../outbox/model/saves.ts'
import type { Outbox } from '../outbox/contract.ts'
import { isBeingDeleted } from './changes.ts'
import type { BulkOutcome } from './outcome.ts'
import type { BulkUndo, TagsAndNotesUndo, UndoStep } from './ports.ts'
import { queueInSlices, type JudgedUpdate, type SlicePorts } from './queue-in-slices.ts'

/** Maximum number of bulk changes whose undo data is kept in memory. */
const MAX_UNDOABLE = 20

export interface UndoPorts extends SlicePorts {
  outbox: Pick<Outbox, 'writeBulk' | 'takeBackBulk'>
  outcome: Pick<BulkOutcome, 'bulkUndo' | 'takeBack' | 'results'>
}

/** Remembers how to undo the last bulk changes, and undoes them. */
export interface UndoableBulkChanges {
  /** Remembers how to undo a bulk change. `removed`: the websites that were removed at once because they were never sent. */
  keep(way: BulkUndo, removed?: readonly { key: string; domain: string }[]): void
  /** See `Bulk.undo`. */
  undo(bulkChange: string, agreed?: boolean, restoreLocal?: RestoreTagsAndNotes): Promise<Result<BulkResult>>
}

/** Restores tags and notes. Returns the domains that it has changed. */
type RestoreTagsAndNotes = (local: TagsAndNotesUndo) => Result<string[]>

export function createUndoableBulkChanges(ports: UndoPorts): UndoableBulkChanges {
  const { view, outbox, outcome } = ports
  const undoable = new Map<string, BulkUndo>()
  /** Domains of the websites that were removed without an edit, by website key. */
  const removedDomains = new Map<string, string>()

  function keep(...[way, removed = []]: Parameters<UndoableBulkChanges['keep']>): void {
    undoable.set(way.id, way)
    for (const { key, domain } of removed) removedDomains.set(key, domain)
    const [oldest] = undoable.keys()
    if (undoable.size > MAX_UNDOABLE && oldest !== undefined) undoable.delete(oldest)
  }

  /**
   * Queues the previous values. Values that were changed after the bulk change stay. `saves`: the `order` range of the bulk
   * change's saves.
   */
  async function restoreValues(each: readonly (readonly [string, UndoStep])[], saves: SaveOrderRange | undefined) {
    const steps = new Map(each)
    /** By website key: the website before the undo, the settings to restore, and the fields whose previous value is unknown. */
    const restoring = new Map<string, { shown: WebsiteView; names: SettingName[]; lost: FieldName[] }>()
    const unknown = new Set<FieldName>()
    const [changedSince, domainsWithUnknown]: [string[], string[]] = [[], []]
    const changedKeys: string[] = []
    let [same, queued] = [0, 0]
    const judge = (key: string): JudgedUpdate => {
      const shown = view.get(key)
      const step = steps.get(key)
      if (shown === null || step === undefined) return fail('website-gone')
      // A view with a pending delete lacks the bulk change. If the delete were undone, the change would come back, so it counts
      // here.
      const website = isBeingDeleted(shown) ? { ...shown, ...step.after } : shown
      // Restores only the lines that the bulk change has added or removed. Later changes of other lines stay.
      const lists = mergeLists({ base: step.after, theirs: website, ours: step.before })
      const former = { ...step.before, ...lists }
      const unchanged = namesIn(step.after).filter(
        (name) => isListField(name) || isSameIgnoringOrder(step.after, website, name),
      )
      const lost: FieldName[] = unchanged.filter((name) => step.before[name] === undefined)
      if (step.password && unchanged.includes('privacy') && mayHaveHadPassword(step.before)) lost.push('password')
      const isSince = (name: SettingName) =>
        !unchanged.includes(name) && !isSameIgnoringOrder(step.before, website, name)
      const isChangedSince = namesIn(step.after).some(isSince)
      if (isChangedSince) changedSince.push(step.domain ?? website.domain)
      const names = unchanged.filter(
        (name) => former[name] !== undefined && !isSameIgnoringOrder(former, website, name),
      )
      if (names.length === 0 && lost.length === 0) {
        if (!isChangedSince) same += 1
        return ok(null)
      }
      restoring.set(key, { shown, names, lost })
      // `undoneSave` lets the outbox take into account that the previous password may be lost.
      const isProtectedAgain = names.includes('privacy') && former.privacy === PRIVACY.password
      const undoneSave = lost.length > 0 || isProtectedAgain ? saves : undefined
      return ok({ changes: pickNamed(former, names), undone: step.after, undoneSave, domain: step.domain })
    }
    const noteRestored = (key: string): void => {
      const website = view.get(key)
      const { shown, names, lost } = restoring.get(key) ?? { shown: website, names: [], lost: [] }
      // A field that is no longer pending had only changed in an unsent edit, so its previous value is not lost.
      const left = lost.filter((name) => !shown?.pending.includes(name) || website?.pending.includes(name))
      for (const name of left) unknown.add(name)
      if (left.length > 0) domainsWithUnknown.push(steps.get(key)?.domain ?? shown?.domain ?? '')
      if (names.length === 0 && left.length === lost.length) return
      changedKeys.push(key)
      if (isRestorePending(website, names)) queued += 1
    }
    const restored = await queueInSlices(ports, steps.keys(), judge, (keys) => keys.forEach(noteRestored))
    const named = { changedSince, domainsWithUnknown: domainsWithUnknown.slice(0, MAX_NAMED_WEBSITES) }
    return {
      refused: restored.refused,
      changedKeys,
      result: { ...named, same, unknown: fieldNames.filter((name) => unknown.has(name)) },
      queued,
    }
  }

  async function undo(
    ...[id, agreed, restoreLocal]: Parameters<UndoableBulkChanges['undo']>
  ): Promise<Result<BulkResult>> {
    const way = undoable.get(id) ?? outcome.bulkUndo(id)
    if (way === null) return fail('edit-gone')
    undoable.delete(id)
    const { steps, saves, kind, keys } = splitUndo(way)
    const domains = outcome.results()
    // Looked up before the undo, because the websites whose creates are undone leave the view.
    const created = new Map(way.local ? keys.map((key) => [key, view.get(key)?.domain]) : [])
    // The stored domain comes first, because the id of a website may belong to another one now.
    const domainOf = (key: string): string =>
      domains.get(key)?.domain ?? view.get(key)?.domain ?? created.get(key) ?? removedDomains.get(key) ?? ''
    const domainsOf = (of: readonly string[]) => new Set(of.map((key) => comparableDomain(domainOf(key))))

    /** `rest`: the data to undo the remaining websites, or null if there is nothing left to ask about or to try again. */
    const undoAll = async (): Promise<{
      undone: Result<BulkResult>
      rest: BulkUndo | null
      left: BulkChange['left']
    }> => {
      const { result, changedKeys, ...restored } = await restoreValues(steps, saves)
      const outcomes = agreed === false ? [] : await outbox.takeBackBulk(kind, keys, agreed)
      // The id of a website may belong to another one now.
      const former = new Map(steps.map(([key, { domain }]) => [key, domain]))
      const refused = restored.refused.map((one) => ({ ...one, domain: former.get(one.key) ?? domainOf(one.key) }))
      const asked: string[] = []
      let { queued } = restored
      keys.forEach((key, at) => {
        const one = outcomes[at]
        if (one === undefined) return
        if (!one.ok) refused.push({ key, domain: domainOf(key), error: one.error })
        else if (one.value === 'asks') asked.push(key)
        else {
          changedKeys.push(key)
          if (one.value === 'queued') queued += 1
        }
      })
      const again = new Set(refused.filter(({ error }) => canRetryUndo(error)).map(({ key }) => key))
      const leftSteps = steps.filter(([key]) => again.has(key))
      const isLeft = new Set([...asked, ...again])
      const leftKeys = keys.filter((key) => isLeft.has(key))
      const asks = asked.length > 0
      const sent = { kind, count: asked.length, domains: asked.slice(0, MAX_NAMED_WEBSITES).map(domainOf) }
      const counts = { changed: changedKeys.length, queued, refused }
      const kept = domainsOf([...keys.filter((_, at) => !isUndone(outcomes[at])), ...again])
      const local = pickDomains(way.local, (domain) => !kept.has(domain))
      const restoredLocal = local && restoreLocal ? restoreLocal(local) : ok([])
      const leftDomains = domainsOf([...isLeft])
      const leftLocal = pickDomains(
        way.local,
        (domain) => leftDomains.has(domain) || (!restoredLocal.ok && !kept.has(domain)),
      )
      const hasRest = leftSteps.length + leftKeys.length > 0
      const rest: BulkUndo =
        way.kind === 'update' && leftSteps.length > 0
          ? { ...way, steps: leftSteps, created: leftKeys, local: leftLocal }
          : { id, kind, keys: leftKeys, local: leftLocal }
      const undone = { ...result, ...counts, ...(asks && { sent }), bulkChange: id }
      if (!restoredLocal.ok) return { undone: restoredLocal, rest, left: 'again' }
      const mayPass = refused.some(({ error }) => canRetryUndo(error) && error.code !== 'domain-listed')
      const left = asks || mayPass ? 'again' : 'refused'
      const changed = local === undefined ? new Set() : domainsOf(changedKeys)
      const others = restoredLocal.value.filter((domain) => !changed.has(comparableDomain(domain)))
      return { undone: ok({ ...undone, local: others.length }), rest: hasRest ? rest : null, left }
    }

    const { undone, rest } = await outcome.takeBack(id, undoAll)
    if (rest !== null) keep(rest)
    return undone
  }

  return { keep, undo }
}

/** True if a create or a delete was undone, not refused or left for the user to answer. */
const isUndone = (outcome: Result<UndoOutcome> | undefined): boolean => outcome?.ok === true && outcome.value !== 'asks'

/** Returns the entries whose comparable domains satisfy `isIn`, or undefined if there are none. */
export function pickDomains(
  local: TagsAndNotesUndo | undefined,
  isIn: (domain: string) => boolean,
): TagsAndNotesUndo | undefined {
  const isOfPart = ({ domain }: { domain: string }): boolean => isIn(comparableDomain(domain))
  return local?.after.some(isOfPart)
    ? { ...local, before: local.before.filter(isOfPart), after: local.after.filter(isOfPart) }
    : undefined
}

/** Returns the updates of a bulk change (`steps`), and apart from them its created or deleted websites (`keys`). */
const splitUndo = (way: BulkUndo) =>
  way.kind === 'update'
    ? { steps: way.steps, saves: way.saves, kind: 'create' as const, keys: way.created }
    : { steps: [], saves: undefined, kind: way.kind, keys: way.keys }

/**
 * True if a restored value still has to be sent. A website that the service has not confirmed yet doesn't count, because all of
 * its fields are pending, restored or not.
 */
const isRestorePending = (website: WebsiteView | null, restoring: readonly SettingName[]): boolean =>
  website !== null && website.id !== null && restoring.some((name) => website.pending.includes(name))

/** A website whose privacy is unknown may have had a password. */
const mayHaveHadPassword = ({ privacy = PRIVACY.password }: Partial<WebsiteSettings>): boolean =>
  privacy === PRIVACY.password
