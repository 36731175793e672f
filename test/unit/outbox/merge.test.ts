import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { merge, type Ours } from '../../../src/main/outbox/reconcile/merge.ts'
import { areSameLines, mergeLines } from '../../../src/main/outbox/model/merge-lines.ts'
import { settingNames, type WebsiteRecord, type WebsiteSettings } from '../../../src/shared/website.ts'

type Settings = Partial<WebsiteSettings>

const record = (settings: Settings, more: Partial<WebsiteRecord> = {}): WebsiteRecord => ({
  id: '1',
  domain: 'a.example',
  extra: {},
  ...settings,
  ...more,
})
/** Returns our side of a merge: an edit of these settings that was never sent before and is no undo. */
const ours = (settings: Settings, password = false): Ours => ({ settings, password, possiblySent: [], undone: [] })
const nothing = { settings: {}, password: false, conflicts: [] }
const sent = (settings: Settings) => ({ settings, password: false, conflicts: [] })
const parked = (...conflicts: (keyof WebsiteSettings)[]) => ({ settings: {}, password: false, conflicts })

describe('the merge of a field with a single value', () => {
  test('sends a value that only we have changed', () => {
    expect(merge({ settings: { email: false } }, record({ email: false }), ours({ email: true }))).toEqual(
      sent({ email: true }),
    )
  })
  test('keeps a value that only another client has changed', () => {
    expect(merge({ settings: { privacy: 1 } }, record({ privacy: 0 }), ours({ privacy: 1 }))).toEqual(nothing)
  })
  test('sends nothing if both sides have set the same value', () => {
    expect(merge({ settings: { privacy: 1 } }, record({ privacy: 0 }), ours({ privacy: 0 }))).toEqual(nothing)
  })
  test('asks the user if the two sides have set different values', () => {
    expect(merge({ settings: { privacy: 1 } }, record({ privacy: 0 }), ours({ privacy: 2 }))).toEqual(parked('privacy'))
  })
  test('merges the other fields in spite of a conflict in one', () => {
    const base = { settings: { privacy: 1, email: false, exclude_bots: true } as const }
    const theirs = record({ privacy: 0, email: false, exclude_bots: false })
    expect(merge(base, theirs, ours({ privacy: 2, email: true, exclude_bots: false }))).toEqual({
      settings: { email: true },
      password: false,
      conflicts: ['privacy'],
    })
  })
})

describe('the merge of a list', () => {
  const lists = (base: string[], theirs: string[], mine: string[]) =>
    merge({ settings: { exclude_ips: base } }, record({ exclude_ips: theirs }), ours({ exclude_ips: mine }))

  test('keeps the order of theirs, drops the lines that we removed, and appends the lines that we added', () => {
    expect(lists(['a', 'b', 'c'], ['c', 'x', 'b', 'a'], ['a', 'n', 'c'])).toEqual(
      sent({ exclude_ips: ['c', 'x', 'a', 'n'] }),
    )
  })
  test('keeps a line that both sides added once, and sends nothing if there is no other change', () => {
    expect(lists(['a'], ['a', 'n'], ['n', 'a'])).toEqual(nothing)
    expect(lists(['a'], ['n', 'a', 'x'], ['a', 'n'])).toEqual(nothing)
  })
  test('asks the user about a list that one side has cleared and the other has changed', () => {
    expect(lists(['a', 'b'], ['a', 'b', 'c'], [])).toEqual(parked('exclude_ips'))
    expect(lists(['a', 'b'], [], ['a', 'b', 'c'])).toEqual(parked('exclude_ips'))
  })
  test('sends a cleared list that only we have changed, and nothing if both sides have cleared the list', () => {
    expect(lists(['a', 'b'], ['b', 'a'], [])).toEqual(sent({ exclude_ips: [] }))
    expect(lists(['a', 'b'], [], [])).toEqual(nothing)
    expect(lists([], ['x'], ['y'])).toEqual(sent({ exclude_ips: ['x', 'y'] }))
  })
})

describe('the merge of a write-only field', () => {
  const seen = (updated_at?: string) => ({ settings: {}, ...(updated_at !== undefined && { updated_at }) })
  const params = ours({ exclude_params: ['ref'] })

  test('sends the field while the time of the record is unchanged or unknown', () => {
    expect(merge(seen('1'), record({}, { updated_at: '1' }), params)).toEqual(sent({ exclude_params: ['ref'] }))
    expect(merge(seen(), record({}, { updated_at: '1' }), params)).toEqual(sent({ exclude_params: ['ref'] }))
    expect(merge(seen('1'), record({}), params)).toEqual(sent({ exclude_params: ['ref'] }))
  })
  test('asks about the field once the time of the record has changed', () => {
    expect(merge(seen('1'), record({}, { updated_at: '2' }), params)).toEqual(parked('exclude_params'))
  })
  test('asks about a password and its privacy together', () => {
    const base = { settings: { privacy: 2 }, updated_at: '1' } as const
    const password = ours({ privacy: 2 }, true)
    const remote = { privacy: 2 } as const
    expect(merge(base, record(remote, { updated_at: '1' }), password)).toEqual({ ...sent(remote), password: true })
    expect(merge(base, record(remote, { updated_at: '2' }), password)).toEqual(parked('privacy'))
    // Both sides have set a password, and the two may differ.
    expect(merge({ settings: { privacy: 1 } }, record(remote), password)).toEqual(parked('privacy'))
  })
  test('sends the first password of a website although another client changed another field', () => {
    const base = { settings: { privacy: 1 }, updated_at: '1' } as const
    const theirs = record({ privacy: 1, email: true }, { updated_at: '2' })
    expect(merge(base, theirs, ours({ privacy: 2 }, true))).toEqual({ ...sent({ privacy: 2 }), password: true })
    expect(merge(base, { ...theirs, privacy: 0 }, ours({ privacy: 2 }, true))).toEqual(parked('privacy'))
  })
})

const line: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const lines = fc.uniqueArray(line, { maxLength: 6 })
const settings: fc.Arbitrary<WebsiteSettings> = fc.record({
  privacy: fc.constantFrom(0, 1, 2),
  email: fc.boolean(),
  exclude_bots: fc.boolean(),
  exclude_ips: lines,
  exclude_params: lines,
})
const touched = settings.chain((all) =>
  fc.subarray([...settingNames]).map((names) => Object.fromEntries(names.map((name) => [name, all[name]])) as Settings),
)
const after = (theirs: Settings, base: Settings, mine: Settings): Settings => ({
  ...theirs,
  ...merge({ settings: base }, record(theirs), ours(mine)).settings,
})
/** Sorts the lists of the settings, because the order of lines does not matter here. */
const asSets = (value: Settings): Settings =>
  Object.fromEntries(Object.entries(value).map(([name, v]) => [name, Array.isArray(v) ? v.toSorted() : v]))

describe('a merge of any values', () => {
  test('reaches our values if only we have changed something', () => {
    fc.assert(
      fc.property(settings, touched, (base, mine) => {
        expect(merge({ settings: base }, record(base), ours(mine)).conflicts).toEqual([])
        expect(asSets(after(base, base, mine))).toEqual(asSets({ ...base, ...mine }))
      }),
    )
  })
  test('keeps the values of the other client and sends nothing if we have changed nothing', () => {
    fc.assert(
      fc.property(settings, settings, (base, theirs) => {
        expect(merge({ settings: base }, record(theirs), ours(base))).toEqual(nothing)
      }),
    )
  })
  test('never sends a field that we do not touch', () => {
    fc.assert(
      fc.property(settings, settings, touched, (base, theirs, mine) => {
        const merged = merge({ settings: base }, record(theirs), ours(mine))
        for (const name of [...Object.keys(merged.settings), ...merged.conflicts]) expect(mine).toHaveProperty(name)
      }),
    )
  })
  test('has the same result and the same conflicts if the two sides are swapped', () => {
    fc.assert(
      fc.property(settings, settings, settings, (base, a, b) => {
        const [ab, ba] = [merge({ settings: base }, record(a), ours(b)), merge({ settings: base }, record(b), ours(a))]
        expect(ab.conflicts).toEqual(ba.conflicts)
        const settled = (value: Settings) =>
          Object.fromEntries(Object.entries(asSets(value)).filter(([name]) => !ab.conflicts.includes(name as never)))
        expect(settled(after(a, base, b))).toEqual(settled(after(b, base, a)))
      }),
    )
  })
  test('leaves nothing to send once its result was applied', () => {
    fc.assert(
      fc.property(settings, settings, touched, (base, theirs, mine) => {
        const merged = merge({ settings: base }, record(theirs), ours(mine))
        const then = { ...theirs, ...merged.settings }
        expect(merge({ settings: theirs }, record(then), ours(merged.settings))).toEqual(nothing)
      }),
    )
  })
  test('loses no line that both sides kept or one side added, and restores no line that one side removed', () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, theirs, mine) => {
        const merged = mergeLines({ base, theirs, ours: mine })
        const isIn = (list: string[]) => (wanted: string) => list.includes(wanted)
        const wanted = (name: string) => {
          if (!base.includes(name)) return theirs.includes(name) || mine.includes(name)
          return theirs.includes(name) && mine.includes(name)
        }
        expect(merged.toSorted()).toEqual([...new Set([...base, ...theirs, ...mine])].filter(wanted).toSorted())
        // Remote lines keep their order.
        if (!areSameLines(theirs, base)) {
          expect(merged.filter(isIn(theirs))).toEqual(theirs.filter(isIn(merged)))
        }
      }),
    )
  })
})
