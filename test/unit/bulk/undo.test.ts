import { beforeEach, describe, expect, test, vi } from 'vitest'
import { settled } from '../outbox/clock.ts'
import { codeOf, draft, must } from '../outbox/rig.ts'
import { useBulk, WEBSITES } from './rig.ts'

let pause: () => Promise<void>
beforeEach(() => void (pause = () => Promise.resolve()))
const rig = useBulk({ pause: () => pause() })

test('reports no bulk change that was undone or dismissed, and none that changes only one website', async () => {
  const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
  must(await rig.app.bulk.undo(bulkChange))
  expect(rig.app.outcome.state()).toBeNull()
  const made = await rig.app.bulk.create([draft('a.example'), draft('b.example')])
  expect(rig.app.outcome.state()).toMatchObject({ id: made.bulkChange, kind: 'create', websites: 2 })
  must(rig.app.outcome.dismiss())
  expect(rig.app.outcome.state()).toBeNull()
  await rig.restart()
  expect(rig.app.outcome.state()).toBeNull()
  await rig.app.bulk.apply(rig.keys().slice(0, 1), { email: true })
  expect(rig.app.outcome.state()).toBeNull()
})

test('reports a bulk delete as pending and then as sent', async () => {
  await rig.app.bulk.delete(rig.keys())
  expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, notSent: 0 })
  await rig.app.online(30_000)
  expect(rig.service.domains()).toEqual([])
  expect(rig.counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, notSent: 0 })
})

test('undoes a bulk change as one after a restart, including what was sent', async () => {
  rig.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
  expect(rig.app.outcome.state()).toMatchObject({ canUndo: true })
  await rig.app.online()
  await rig.restart()
  expect(rig.app.outcome.state()).toMatchObject({ sent: WEBSITES - 1, parked: 1, canUndo: true })
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: WEBSITES, refused: [] })
  expect(rig.app.outcome.state()).toBeNull()
  await rig.app.online()
  expect([...rig.service.records.values()].map(({ email }) => email)).toEqual(rig.keys().map(() => false))
  const made = await rig.app.bulk.create([draft('a.example'), draft('b.example')])
  await rig.restart()
  expect(must(await rig.app.bulk.undo(made.bulkChange))).toMatchObject({ changed: 2 })
  expect(rig.keys()).toHaveLength(WEBSITES)
})

test('the undo of a bulk change restores a list of more than 64 KiB that it had shortened', async () => {
  const long = Array.from({ length: 200 }, (_, n) => `${n}`.padStart(511, 'x'))
  for (const record of rig.service.records.values()) record.exclude_ips = long
  await rig.app.online()
  must(await rig.app.refresh.run())
  const shorten = { how: 'edit' as const, add: [], remove: long.slice(0, 1) }
  const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { exclude_ips: shorten })
  await rig.app.online()
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: WEBSITES, refused: [] })
  await rig.app.online()
  expect([...rig.service.records.values()].map(({ exclude_ips }) => exclude_ips?.length)).toEqual(
    rig.keys().map(() => 200),
  )
})

test('a bulk change can be undone until the user has answered about the websites that were sent, even after a restart', async () => {
  const { bulkChange } = await rig.app.bulk.delete(rig.keys())
  await rig.app.online(30_000)
  expect(rig.service.domains()).toEqual([])
  const domains = ['w0', 'w1', 'w2', 'w3', 'w4'].map((name) => `${name}.example`)
  const undo = async (agreed?: boolean) => must(await rig.app.bulk.undo(bulkChange, agreed))
  const undone = await undo()
  expect(undone.sent?.count).toBe(WEBSITES)
  expect(undone.sent?.domains.toSorted()).toEqual(domains)
  expect(rig.app.outcome.state()).toMatchObject({ left: 'again' })
  await rig.restart()
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, sent: WEBSITES, canUndo: true })
  expect(await undo()).toMatchObject({ changed: 0, sent: { count: WEBSITES } })
  expect(await undo(true)).toMatchObject({ changed: WEBSITES, queued: WEBSITES, refused: [] })
  expect(rig.app.outcome.state()).toBeNull()
  await rig.app.online(30_000)
  expect(rig.service.domains().toSorted()).toEqual(domains)
})

test('an undo of a bulk change that left out a website because its domain was taken can be repeated for that website, even after a restart', async () => {
  const [first = ''] = rig.keys()
  const { domain } = must(rig.app.view.website(first))
  const { bulkChange } = await rig.app.bulk.delete(rig.keys())
  const added = must(await rig.app.outbox.create(draft(domain)))
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({
    changed: WEBSITES - 1,
    refused: [{ key: first, error: { code: 'domain-listed' } }],
  })
  await rig.clock.advance(0)
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, waiting: 1, canUndo: true, left: 'refused' })
  must(await rig.app.outbox.delete(added))
  await rig.restart()
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: 1, refused: [] })
  expect(rig.app.edits()).toEqual([])
  expect(rig.app.outcome.state()).toBeNull()
})

test('an undo of a bulk change that a full disk refused can be tried again as one', async () => {
  const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
  await rig.app.online()
  const add = vi.spyOn(rig.app.store, 'addEdit').mockImplementation(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
  const { refused } = must(await rig.app.bulk.undo(bulkChange))
  expect(refused.map(({ error }) => error.code)).toEqual(rig.keys().map(() => 'disk-full'))
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, canUndo: true, left: 'again' })
  add.mockRestore()
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: WEBSITES, refused: [] })
})

test('the undo of a bulk create names its websites in the question, also if another website has one of their ids now', async () => {
  const { bulkChange = '' } = await rig.app.bulk.create([draft('a.example'), draft('b.example')])
  await rig.app.online(60_000)
  const created = [...rig.service.records.values()].find(({ domain }) => domain === 'a.example')
  Object.assign(created ?? expect.fail('it is gone'), { domain: 'another.example' })
  must(await rig.app.refresh.run())
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ sent: { domains: ['a.example', 'b.example'] } })
})

test('after a restart, the undo of a bulk create asks again only about the websites that are left', async () => {
  rig.service.fail('create', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  const { bulkChange } = await rig.app.bulk.create([draft('a.example'), draft('b.example')])
  await rig.app.online()
  const undo = async () => must(await rig.app.bulk.undo(bulkChange))
  expect(await undo()).toMatchObject({ changed: 1, refused: [], sent: { count: 1 } })
  await rig.restart()
  expect(await undo()).toMatchObject({ changed: 0, refused: [], sent: { count: 1 } })
})

test('a bulk change that was undone does not come back when the delete of one of its websites is undone', async () => {
  const [first = ''] = rig.keys()
  const undoDelete = () => rig.app.outbox.undo(rig.app.edits()[0]?.id ?? '')
  const all = await rig.app.bulk.apply(rig.keys(), { email: true })
  must(await rig.app.outbox.delete(first))
  expect(must(await rig.app.bulk.undo(all.bulkChange))).toMatchObject({ changed: WEBSITES, same: 0, refused: [] })
  must(undoDelete())
  expect(rig.app.edits()).toEqual([])
  must(await rig.app.outbox.update(first, { privacy: 0, exclude_ips: ['10.0.0.1'] }))
  const one = await rig.app.bulk.apply([first], {
    email: true,
    exclude_ips: { how: 'edit', add: ['10.0.0.2'], remove: [] },
  })
  must(await rig.app.outbox.delete(first))
  must(await rig.app.bulk.undo(one.bulkChange))
  must(undoDelete())
  expect(rig.app.edits()).toMatchObject([{ kind: 'update', settings: { privacy: 0, exclude_ips: ['10.0.0.1'] } }])
  expect(rig.app.edits()[0]?.fields).toEqual(['privacy', 'exclude_ips'])
})

test('a bulk change that was undone does not come back with the undo of a delete, even if another change of the website is being sent', async () => {
  const [first = ''] = rig.keys()
  await rig.app.online()
  const answer = rig.service.hold('update')
  must(await rig.app.outbox.update(first, { privacy: 0 }))
  await settled()
  const { bulkChange } = await rig.app.bulk.apply([first], { email: true })
  must(await rig.app.outbox.delete(first))
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: 1, same: 0, refused: [] })
  must(rig.app.outbox.undo(rig.app.edits()[1]?.id ?? ''))
  expect(rig.app.edits()).toMatchObject([{ state: 'sending', settings: { privacy: 0 } }])
  answer()
})

test('the undo of a bulk change names a website that is being deleted after its change was sent', async () => {
  const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
  await rig.app.online()
  await rig.app.offline()
  const key = rig.keys()[0] ?? ''
  must(await rig.app.outbox.delete(key))
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({
    ...{ changed: WEBSITES - 1, same: 0 },
    refused: [{ key, error: { code: 'website-gone' } }],
  })
})

test('the undo of a bulk change names a website that is being deleted, even if a later change repeats a line that was sent', async () => {
  const [first = ''] = rig.keys()
  const add = { how: 'edit' as const, add: ['10.0.0.1'], remove: [] }
  const { bulkChange } = await rig.app.bulk.apply([first], { email: true, exclude_ips: add })
  await rig.app.online()
  await rig.app.offline()
  must(await rig.app.outbox.update(first, { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  must(await rig.app.outbox.delete(first))
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({
    changed: 0,
    refused: [{ key: first, error: { code: 'website-gone' } }],
  })
  must(rig.app.outbox.undo(rig.app.edits()[0]?.id ?? ''))
  expect(rig.app.edits()).toMatchObject([{ kind: 'update', settings: { exclude_ips: ['10.0.0.1', '10.0.0.2'] } }])
})

test('a bulk change that was undone and had removed a line does not come back with the undo of a delete, even if that line was never sent', async () => {
  const [first = ''] = rig.keys()
  await rig.app.offline()
  must(await rig.app.outbox.update(first, { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  const remove = { how: 'edit' as const, add: [], remove: ['10.0.0.1'] }
  const { bulkChange } = await rig.app.bulk.apply([first], { exclude_ips: remove })
  must(await rig.app.outbox.delete(first))
  expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: 1, refused: [] })
  must(rig.app.outbox.undo(rig.app.edits()[0]?.id ?? ''))
  expect(rig.app.edits()).toMatchObject([{ kind: 'update', settings: { exclude_ips: ['10.0.0.1', '10.0.0.2'] } }])
})

test('keeps the undo of a bulk change while an earlier bulk change of the same kind is undone', async () => {
  const [first = '', ...others] = rig.keys()
  const earlier = await rig.app.bulk.delete(others)
  await rig.app.online(30_000)
  await rig.app.offline()
  const later = await rig.app.bulk.delete([first])
  const undo = async ({ bulkChange }: { bulkChange: string }, agreed?: boolean) =>
    must(await rig.app.bulk.undo(bulkChange, agreed))
  expect(await undo(earlier)).toMatchObject({ sent: { count: WEBSITES - 1 } })
  expect(await undo(later)).toMatchObject({ changed: 1, refused: [] })
  expect(await undo(earlier, true)).toMatchObject({ changed: WEBSITES - 1, refused: [] })
})

describe('after the undo of a bulk change,', () => {
  const last = () => must(rig.app.outbox.lastSave())
  const savedFirst = { privacy: 0 } as const
  const saveFirstWebsite = async () => {
    must(await rig.app.outbox.update(rig.keys()[0] ?? '', savedFirst))
    await rig.clock.advance(1_000)
  }

  test('the last save is the one before the bulk change if neither the save nor the bulk change was sent', async () => {
    await saveFirstWebsite()
    const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
    await rig.clock.advance(1_000)
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: WEBSITES, refused: [] })
    expect(rig.app.edits()).toMatchObject([{ settings: savedFirst }])
    const edit = last()?.edit ?? expect.fail('there is no last save')
    expect(edit).toMatchObject({ domain: 'w4.example', settings: savedFirst })
    must(rig.app.outbox.undo(edit.id))
    expect(rig.app.edits()).toEqual([])
    expect(last()).toBeNull()
  })

  test('the last save is the one before the bulk change if both the save and the bulk change were sent, before and after the undo is sent', async () => {
    await saveFirstWebsite()
    await rig.app.online()
    const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
    await rig.app.online()
    await rig.app.offline()
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: WEBSITES, queued: WEBSITES })
    expect(last()?.entry).toMatchObject({ domain: 'w4.example', settings: savedFirst })
    await rig.app.online()
    expect([...rig.service.records.values()].map(({ email }) => email)).toEqual(rig.keys().map(() => false))
    const entry = last()?.entry ?? expect.fail('there is no last save')
    expect(entry).toMatchObject({ domain: 'w4.example', settings: savedFirst, can: { undo: true } })
    must(rig.app.outbox.undo(entry.id))
    await rig.app.online()
    expect(last()).toBeNull()
  })

  test('the last save is the create of a website before the bulk change', async () => {
    must(await rig.app.outbox.create(draft('new.example')))
    await rig.clock.advance(1_000)
    const keys = [rig.app.keyOf('new.example'), ...rig.keys()]
    const { bulkChange } = await rig.app.bulk.apply([...new Set(keys)], { email: true })
    must(await rig.app.bulk.undo(bulkChange))
    const edit = last()?.edit ?? expect.fail('there is no last save')
    expect(edit).toMatchObject({ domain: 'new.example', kind: 'create' })
    expect(edit.isUndo).not.toBe(true)
    await rig.app.online()
    expect(last()?.entry).toMatchObject({ domain: 'new.example', can: { undo: true } })
  })

  test('the last save is the one before the bulk change even if the bulk change had set a list that the service does not show', async () => {
    await saveFirstWebsite()
    const { bulkChange } = await rig.app.bulk.apply(rig.keys(), {
      email: true,
      exclude_params: { how: 'set', lines: ['ref'] },
    })
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: WEBSITES, queued: 0, unknown: [] })
    expect(rig.app.edits()).toMatchObject([{ settings: savedFirst }])
    expect(last()?.edit).toMatchObject({ domain: 'w4.example', settings: savedFirst })
  })

  test('the last save is the one that the user has made after the bulk change', async () => {
    const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
    await rig.clock.advance(1_000)
    await saveFirstWebsite()
    must(await rig.app.bulk.undo(bulkChange))
    const edit = last()?.edit ?? expect.fail('there is no last save')
    expect(edit).toMatchObject({ domain: 'w4.example', settings: savedFirst })
    must(rig.app.outbox.undo(edit.id))
    expect(last()).toBeNull()
  })

  test('the last save is the second of two saves around the bulk change that cancel each other out', async () => {
    const key = rig.keys()[0] ?? ''
    const saveEmail = async (email: boolean) => {
      must(await rig.app.outbox.update(key, { email }))
      await rig.clock.advance(1_000)
    }
    await saveEmail(true)
    const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { exclude_bots: false })
    await rig.clock.advance(1_000)
    await saveEmail(false)
    must(await rig.app.bulk.undo(bulkChange))
    expect(rig.app.edits()).toEqual([])
    const entry = last()?.entry ?? expect.fail('there is no last save')
    expect(entry).toMatchObject({ domain: 'w4.example', can: { undo: true } })
    must(rig.app.outbox.undo(entry.id))
    expect(rig.app.edits()).toMatchObject([{ settings: { email: true } }])
  })

  test('a save that the service applied before the undo is not shown as undone', async () => {
    const key = rig.keys()[0] ?? ''
    rig.service.ignores.add('exclude_bots')
    must(await rig.app.outbox.update(key, { email: true }))
    const { bulkChange } = await rig.app.bulk.apply([key], { exclude_bots: false })
    // The service applies only the email reports. The app goes offline before it can send the other field again.
    rig.service.after = (operation) => {
      if (operation === 'update') rig.service.unreachable = true
    }
    await rig.app.online()
    expect(rig.app.edits()).toMatchObject([{ settings: { exclude_bots: false } }])
    must(await rig.app.bulk.undo(bulkChange))
    expect(rig.app.edits()).toEqual([])
    expect(rig.app.history()).toMatchObject([{ became: 'sent', settings: {} }])
    expect(last()?.entry).toMatchObject({ can: { undo: true } })
  })

  test('the last save is the one before the bulk change even if the bulk change is just being sent', async () => {
    await saveFirstWebsite()
    await rig.app.online()
    const answer = rig.service.hold('update')
    const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
    await settled()
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ refused: [] })
    expect(last()?.entry).toMatchObject({ domain: 'w4.example', settings: savedFirst })
    answer()
    await rig.app.online()
    expect(last()?.entry).toMatchObject({ domain: 'w4.example', settings: savedFirst, can: { undo: true } })
  })
})

describe('loses nothing when the app crashes during an undo:', () => {
  const MANY = 60
  const SLICE = 25

  beforeEach(async () => {
    for (let n = WEBSITES; n < MANY; n++) rig.service.add(`w${n}.example`, { email: false })
    await rig.app.online()
    must(await rig.app.refresh.run())
  })

  test('of a sent bulk change', async () => {
    const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
    await rig.clock.advance(120_000)
    await rig.app.offline()
    expect(rig.counts()).toMatchObject({ sent: MANY })
    pause = () => new Promise(() => undefined)
    void rig.app.bulk.undo(bulkChange)
    await settled()
    expect(rig.app.outcome.state()).toBeNull()
    await rig.restart()
    expect(rig.app.edits()).toHaveLength(SLICE)
    pause = () => Promise.resolve()
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: MANY - SLICE, same: SLICE, refused: [] })
    expect(rig.app.edits()).toHaveLength(MANY)
    await rig.restart()
    expect(codeOf(await rig.app.bulk.undo(bulkChange))).toBe('edit-gone')
  })

  test('of a bulk delete', async () => {
    const deleting = rig.app.bulk.delete(rig.keys())
    await rig.clock.advance(0)
    const { bulkChange } = await deleting
    void rig.app.bulk.undo(bulkChange)
    await settled()
    expect(rig.app.outcome.state()).toBeNull()
    await rig.restart()
    expect(rig.app.edits()).toHaveLength(MANY - SLICE)
    const undoing = rig.app.bulk.undo(bulkChange)
    await rig.clock.advance(0)
    expect(must(await undoing)).toMatchObject({ changed: MANY - SLICE })
    expect(rig.app.edits()).toEqual([])
    await rig.restart()
    expect(codeOf(await rig.app.bulk.undo(bulkChange))).toBe('edit-gone')
  })
})
