import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBulk, type Bulk } from '../../../src/main/bulk/bulk.ts'
import { bulkUpdateSchema, type BulkUpdate } from '../../../src/shared/bulk.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { draft } from '../draft.ts'
import { fakeClock, type FakeClock } from '../outbox/clock.ts'
import { codeOf, FakeSealer, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'
import { portsOf } from './rig.ts'

/** Number of websites: enough for two slices of a bulk change and two pages of its preview. */
const MANY = 60
const MINUTE = 60_000

let service: SimulatedService
let sealer: FakeSealer
let clock: FakeClock
let app: ReturnType<typeof startConnection>
let bulk: Bulk
let pauses: number

beforeEach(async () => {
  service = new SimulatedService()
  for (let n = 0; n < MANY; n++) {
    service.add(`site-${n}.example`, {
      exclude_ips: n === 0 ? ['10.0.0.1', '10.0.0.9'] : [],
      exclude_bots: n % 2 === 0,
    })
  }
  clock = fakeClock()
  sealer = new FakeSealer()
  app = startConnection({ service, clock, sealer })
  must(await app.refresh.run())
  pauses = 0
  bulk = createBulk({ ...portsOf(app), pause: () => Promise.resolve(void (pauses += 1)) })
  service.unreachable = true
})
afterEach(() => app.close())

const key = (n: number) => app.keyOf(`site-${n}.example`)
const all = () => Array.from({ length: MANY }, (_, n) => key(n))
/** Returns the website `site-<n>.example` as the user sees it, with pending changes. */
const shown = (n: number) => must(app.view.website(key(n)))
const recordAt = (n: number): WebsiteRecord => service.records.get(String(n + 1)) ?? expect.fail('it is gone')
const delivered = () => app.online(10 * MINUTE)

test('the preview counts the websites without a known password that would get the privacy “Password” but no password', async () => {
  const [zeroth, first] = [recordAt(0), recordAt(1)]
  zeroth.password = true
  zeroth.privacy = 2
  delete first.password
  service.unreachable = false
  must(await app.refresh.run())
  expect(await bulk.preview([key(0), key(1), key(2)], { privacy: 2 }, 1)).toMatchObject({ unlocked: 2 })
  expect(await bulk.preview([key(0), key(1)], { privacy: 2, masked: true }, 1)).toMatchObject({ unlocked: 0 })
  expect(await bulk.preview([key(1)], { email: true }, 1)).toMatchObject({ unlocked: 0 })
})

test('previews each website, and queues nothing', async () => {
  const preview = await bulk.preview([...all(), 'gone'], { exclude_bots: true, email: false }, 1)
  expect(preview).toMatchObject({ changing: 30, same: 30, refused: 1, pages: 1 })
  expect(preview.rows[0]).toMatchObject({
    domain: 'site-1.example',
    from: { exclude_bots: false },
    to: { exclude_bots: true },
  })
  expect(preview.rows.at(-1)).toMatchObject({ key: 'gone', error: { code: 'website-gone' } })
  expect(app.edits()).toEqual([])
})

test('a bulk change takes the values in its preview as those that the user saw, and leaves a website that the preview showed as unchanged', async () => {
  const [zeroth, first, second] = [recordAt(0), recordAt(1), recordAt(2)]
  second.privacy = 0
  service.unreachable = false
  must(await app.refresh.run())
  const change = { privacy: 0 } as const
  expect(await bulk.preview([key(0), key(1), key(2)], change, 1)).toMatchObject({ changing: 2, same: 1 })
  for (const record of [first, second]) service.touch(record, { privacy: 2, password: true })
  must(await app.refresh.run())
  // Another comparison leaves the preview of the bulk change as it is.
  await bulk.compare([key(1)], change, 1)
  expect(await bulk.apply([key(0), key(1), key(2)], change)).toMatchObject({ changed: 2, same: 1 })
  await delivered()
  expect([zeroth, first, second].map(({ privacy }) => privacy)).toEqual([0, 2, 2])
  expect(app.edits()).toMatchObject([{ domain: 'site-1.example', state: 'parked', reason: 'conflict' }])
})

test('asks before a bulk change replaces a password that another client may have set since the preview', async () => {
  service.touch(recordAt(0), { privacy: 2, password: true, updated_at: '1' })
  service.unreachable = false
  must(await app.refresh.run())
  await bulk.preview([key(0)], { privacy: 2, masked: true }, 1)
  service.touch(recordAt(0))
  must(await app.refresh.run())
  await bulk.apply([key(0)], { privacy: 2, password: 'x' })
  await delivered()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

test('once its preview was forgotten, a bulk change does not ask about remote changes since that preview', async () => {
  service.touch(recordAt(0), { privacy: 2, password: true, updated_at: '1' })
  service.unreachable = false
  must(await app.refresh.run())
  await bulk.preview([key(0)], { privacy: 2, masked: true }, 1)
  service.touch(recordAt(0))
  must(await app.refresh.run())
  bulk.forgetPreview()
  await bulk.apply([key(0)], { privacy: 2, password: 'x' })
  await delivered()
  expect(service.writes()).toEqual(['update'])
})

test('previews page by page', async () => {
  const change = { email: true }
  const pages = [await bulk.preview(all(), change, 1), await bulk.preview(all(), change, 2)]
  expect(pages.map(({ rows }) => rows.length)).toEqual([50, 10])
  expect(new Set(pages.flatMap(({ rows }) => rows.map((row) => row.key))).size).toBe(MANY)
})

test('a bulk change queues one edit with only the differing fields for each website, in slices', async () => {
  const progress: number[][] = []
  const change: BulkUpdate = {
    exclude_bots: true,
    exclude_ips: { how: 'edit', add: ['10.0.0.9', '10.0.0.8'], remove: ['10.0.0.1'] },
  }
  const result = await bulk.apply(all(), change, (...done) => progress.push(done))
  expect(result).toMatchObject({ changed: MANY, same: 0, refused: [] })
  expect(pauses).toBe(1)
  expect(progress).toEqual([[25, MANY]])
  expect(shown(0)).toMatchObject({ exclude_ips: ['10.0.0.9', '10.0.0.8'], pending: ['exclude_ips'] })
  expect(shown(1)).toMatchObject({ exclude_ips: ['10.0.0.9', '10.0.0.8'], exclude_bots: true })
  await delivered()
  expect(app.edits()).toEqual([])
  expect([recordAt(0).exclude_ips, recordAt(1).exclude_bots]).toEqual([['10.0.0.9', '10.0.0.8'], true])
})

test('undoes a bulk change as one before it is sent', async () => {
  const patch = bulkUpdateSchema.parse({ email: true, exclude_ips: { how: 'set', lines: [' 10.0.0.7 ', ''] } })
  const { bulkChange } = await bulk.apply(all(), patch)
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: MANY, queued: 0, unknown: [] })
  expect(app.edits()).toEqual([])
  await delivered()
  expect(service.writes()).toEqual([])
})

test('undoes a bulk change of a website whose create is still pending, and queues nothing for it', async () => {
  const created = must(await app.outbox.create(draft('new.example')))
  const { bulkChange } = await bulk.apply([created], { email: true })
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 1, queued: 0 })
})

test('undoes a bulk change as one after it was sent', async () => {
  const { bulkChange } = await bulk.apply(all(), { email: true, exclude_ips: { how: 'set', lines: ['10.0.0.7'] } })
  await delivered()
  expect(recordAt(0)).toMatchObject({ email: true, exclude_ips: ['10.0.0.7'] })
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: MANY, queued: MANY })
  await delivered()
  expect(recordAt(0)).toMatchObject({ email: false, exclude_ips: ['10.0.0.1', '10.0.0.9'] })
})

test('the undo of a bulk change asks before it reaches another website that has the id of a changed one now', async () => {
  const { bulkChange } = await bulk.apply([key(1)], { privacy: 0 })
  await delivered()
  recordAt(1).domain = 'another.example'
  must(await app.refresh.run())
  must(await bulk.undo(bulkChange))
  await delivered()
  expect(service.writes()).toEqual(['update'])
  expect(app.edits()).toMatchObject([{ state: 'parked', domain: 'another.example', madeForDomain: 'site-1.example' }])
})

test.each([
  ['the same field', { privacy: 0 }],
  ['the same and another field', { privacy: 0, exclude_bots: true }],
  ['another field', { exclude_bots: true }],
] as const)(
  'the undo of a bulk change is refused while another website that has the id now has a pending change of %s',
  async (_what, pending) => {
    const website = key(1)
    const { bulkChange } = await bulk.apply([website], { privacy: 0 })
    await delivered()
    Object.assign(recordAt(1), {
      domain: 'another.example',
      privacy: 'privacy' in pending ? 1 : 0,
      exclude_bots: false,
    })
    must(await app.refresh.run())
    await app.offline()
    must(await app.outbox.update(website, pending))
    const refused = [{ domain: 'site-1.example', error: { code: 'website-gone' } }]
    expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 0, queued: 0, refused })
    expect(must(app.outbox.lastSave())).toMatchObject({ edit: { domain: 'another.example' } })
    await delivered()
    expect(app.edits()).toEqual([])
    expect(recordAt(1)).toMatchObject({ domain: 'another.example', ...pending })
  },
)

test('the undo of a refused bulk change leaves nothing to send, even if another website has the id now', async () => {
  service.fail('update', { refuse: 'forbidden' })
  const { bulkChange } = await bulk.apply([key(1)], { privacy: 0 })
  await delivered()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused' }])
  recordAt(1).domain = 'another.example'
  must(await app.refresh.run())
  must(await bulk.undo(bulkChange))
  await delivered()
  expect(app.edits()).toEqual([])
})

test('the undo of a bulk change keeps later changes and earlier pending ones', async () => {
  must(await app.outbox.update(key(2), { privacy: 0 }))
  const { bulkChange } = await bulk.apply([key(1), key(2)], { email: true })
  must(await app.outbox.update(key(1), { email: false, privacy: 0 }))
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 1, queued: 0, same: 1 })
  expect(shown(1)).toMatchObject({ email: false, privacy: 0 })
  expect(shown(2)).toMatchObject({ email: false, privacy: 0, pending: ['privacy'] })
})

test('the undo of a bulk change keeps a value that was changed since, names its website, and undoes the other values', async () => {
  const { bulkChange } = await bulk.apply([key(1), key(2), key(3)], { email: true, privacy: 0 })
  must(await app.outbox.update(key(1), { privacy: 2, password: 'a:b' }))
  must(await app.outbox.update(key(2), { email: false }))
  const undone = must(await bulk.undo(bulkChange))
  expect(undone).toMatchObject({ changed: 3, same: 0, changedSince: [app.view.get(key(1))?.domain], refused: [] })
  expect(shown(1)).toMatchObject({ email: false, privacy: 2 })
  expect(shown(2)).toMatchObject({ email: false, privacy: 1 })
})

test('the undo of a bulk change names the websites of the change if another website has one of their ids now', async () => {
  delete recordAt(1).exclude_ips
  service.unreachable = false
  must(await app.refresh.run())
  service.unreachable = true
  const lists: BulkUpdate = { exclude_ips: { how: 'set', lines: ['10.0.0.1'] } }
  const { bulkChange } = await bulk.apply([key(1), key(2)], { privacy: 0, ...lists })
  await delivered()
  Object.assign(recordAt(1), { domain: 'another.example', privacy: 2 })
  must(await app.refresh.run())
  const named = { changedSince: ['site-1.example'], domainsWithUnknown: ['site-1.example'] }
  expect(must(await bulk.undo(bulkChange))).toMatchObject(named)
})

test('a bulk change can’t be undone twice', async () => {
  const { bulkChange } = await bulk.apply(all(), { email: true })
  must(await bulk.undo(bulkChange))
  expect(codeOf(await bulk.undo(bulkChange))).toBe('edit-gone')
  expect(shown(5)).toMatchObject({ email: false, pending: [] })
})

test('a bulk change of the password also sets the privacy, and its undo reports a password as lost only if it was sent', async () => {
  const { bulkChange } = await bulk.apply([key(1), key(2)], { password: 'a secret' })
  expect(shown(1)).toMatchObject({ privacy: 2, pending: ['privacy', 'password'] })
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 2, unknown: [] })
  expect(app.edits()).toEqual([])
  await bulk.apply([key(1)], { password: 'a secret' })
  await delivered()
  service.unreachable = true
  const second = await bulk.apply([key(1)], { password: 'another', email: true })
  expect(must(await bulk.undo(second.bulkChange))).toMatchObject({ changed: 1, queued: 0, unknown: [] })
  expect(app.edits()).toEqual([])
  const third = await bulk.apply([key(1)], { password: 'another' })
  await delivered()
  expect(service.writes()).toEqual(['update', 'update'])
  expect(must(await bulk.undo(third.bulkChange))).toMatchObject({
    changed: 0,
    unknown: ['password'],
    domainsWithUnknown: [shown(1).domain],
  })
})

test('the undo of a bulk change asks for a password that the change had dropped before the password was sent', async () => {
  const created = must(await app.outbox.create(draft('new.example', { privacy: 2, password: 'x' })))
  must(await app.outbox.update(key(1), { privacy: 2, password: 'x' }))
  const { bulkChange } = await bulk.apply([created, key(1)], { privacy: 1 })
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 2, unknown: [] })
  const waiting = { state: 'parked', reason: 'password', settings: { privacy: 2 } }
  expect(app.edits()).toMatchObject([waiting, waiting])
  await delivered()
  expect(service.writes()).toEqual([])
})

test('the undo of a bulk change asks for the dropped password of a website that was created without a password', async () => {
  const created = must(await app.outbox.create(draft('new.example', { privacy: 2, password: 'x' })))
  const { bulkChange } = await bulk.apply([created], { privacy: 1 })
  await delivered()
  expect(service.writes()).toEqual(['create'])
  must(await bulk.undo(bulkChange))
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'password', settings: { privacy: 2 } }])
  await delivered()
  expect(service.writes()).toEqual(['create'])
})

test('the undo of a bulk change asks for a dropped password, even if the website is being deleted', async () => {
  must(await app.outbox.update(key(1), { privacy: 2, password: 'x' }))
  const { bulkChange } = await bulk.apply([key(1)], { privacy: 0 })
  must(await app.outbox.delete(key(1)))
  must(await bulk.undo(bulkChange))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  await delivered()
  expect(app.edits()).toMatchObject([{ kind: 'update', state: 'parked', reason: 'password' }])
  expect(service.writes()).toEqual([])
})

test('the undo of a bulk change of the password keeps what the user has saved before and after it', async () => {
  for (const n of [1, 2, 3]) service.touch(recordAt(n), { privacy: 2, password: true })
  service.unreachable = false
  must(await app.refresh.run())
  service.unreachable = true
  must(await app.outbox.update(key(3), { password: 'the first' }))
  const { bulkChange } = await bulk.apply([key(1), key(2), key(3)], { password: 'a secret' })
  must(await app.outbox.update(key(1), { email: true }))
  must(await app.outbox.update(key(2), { password: 'the last' }))
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 1, unknown: ['password'] })
  expect(shown(1).pending).toEqual(['email'])
  // The undo can't restore the first password, which the bulk change has replaced, and asks for it again.
  expect(app.edits().map(({ domain, reason }) => [domain, reason])).toEqual([
    ['site-3.example', 'password'],
    ['site-1.example', null],
    ['site-2.example', null],
  ])
  await delivered()
  expect(service.writes()).toEqual(['update', 'update'])
})

test('the undo of a bulk change of the password removes the unsent password, even if other settings of the bulk change were changed since', async () => {
  service.touch(recordAt(1), { privacy: 2, password: true })
  service.unreachable = false
  must(await app.refresh.run())
  service.unreachable = true
  const list = { how: 'edit' as const, add: ['198.51.100.1'], remove: [] }
  const { bulkChange } = await bulk.apply([key(1)], { password: 'a secret', email: true, exclude_ips: list })
  must(await app.outbox.update(key(1), { email: false }))
  const lines = shown(1).exclude_ips ?? []
  must(await app.outbox.update(key(1), { exclude_ips: [...lines, '198.51.100.2'] }))
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 1, unknown: [] })
  const left = lines.filter((line) => line !== '198.51.100.1')
  expect(app.edits()).toMatchObject([{ password: false, settings: { exclude_ips: [...left, '198.51.100.2'] } }])
  expect(shown(1)).toMatchObject({ email: false, pending: ['exclude_ips'] })
  await delivered()
  expect(service.writes()).toEqual(['update'])
})

test('a bulk change can only replace a list that the service does not show, and its undo reports that it restores no list that was sent', async () => {
  const record = recordAt(3)
  delete record.exclude_ips
  service.unreachable = false
  must(await app.refresh.run())
  service.unreachable = true
  const fields = { exclude_ips: ['The service doesn’t show this list, so you can only replace it.'] }
  const change: BulkUpdate = { exclude_ips: { how: 'edit', add: ['10.0.0.1'], remove: [] } }
  const looked = await bulk.preview([key(3)], change, 1)
  expect(looked).toMatchObject({ changing: 0, same: 0, refused: 1, rows: [{ error: { fields } }] })
  expect(await bulk.apply([key(3)], change)).toMatchObject({ changed: 0, refused: [{ error: { fields } }] })
  expect(app.edits()).toEqual([])
  const replace: BulkUpdate = { exclude_ips: { how: 'set', lines: ['10.0.0.1'] } }
  const unsent = await bulk.apply([key(3)], replace)
  expect(must(await bulk.undo(unsent.bulkChange))).toMatchObject({ changed: 1, unknown: [] })
  expect(app.edits()).toEqual([])
  const { bulkChange } = await bulk.apply([key(3)], replace)
  await delivered()
  expect(must(await bulk.undo(bulkChange))).toMatchObject({
    changed: 0,
    same: 0,
    unknown: ['exclude_ips'],
    domainsWithUnknown: [shown(3).domain],
  })
})

test('names a refused website, and changes the others', async () => {
  must(await app.outbox.delete(key(4)))
  const preview = await bulk.preview([key(3), key(4)], { email: true }, 1)
  expect(preview).toMatchObject({ changing: 1, refused: 1 })
  expect(preview.rows[1]).toMatchObject({ domain: 'site-4.example', error: { code: 'website-gone' } })
  expect(await bulk.preview([key(4)], { email: false, privacy: 2 }, 1)).toMatchObject({ refused: 1, unlocked: 0 })
  const result = await bulk.apply([key(3), key(4), 'gone'], { email: true })
  expect(result.changed).toBe(1)
  expect(result.refused).toMatchObject([
    { domain: 'site-4.example', error: { code: 'website-gone' } },
    { key: 'gone', error: { code: 'website-gone' } },
  ])
})

test('the preview counts a website whose delete needs attention as one that can’t be changed', async () => {
  must(await app.outbox.delete(key(4)))
  service.touch(recordAt(4), { email: true })
  await delivered()
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked' }])
  expect(await bulk.preview([key(3), key(4)], { exclude_bots: true }, 1)).toMatchObject({ refused: 1 })
})

test('a bulk change of the password queues nothing while the keychain is locked, and reports that for each website', async () => {
  sealer.seal = () => Promise.resolve({ ok: false, error: { code: 'keychain-locked', message: '' } })
  const result = await bulk.apply([key(3), key(4)], { password: 'a secret' })
  expect(result).toMatchObject({ changed: 0, refused: [{ error: { code: 'keychain-locked' } }, {}] })
  expect(app.edits()).toEqual([])
})

test('counts all of more than a thousand refused websites', async () => {
  const gone = Array.from({ length: 1001 }, (_, n) => `gone-${n}`)
  const { refused } = await bulk.apply(gone, { email: true })
  expect(refused).toHaveLength(gone.length)
})

test('a bulk change that is tried again after the keychain was locked still knows what the preview showed', async () => {
  service.touch(recordAt(0), { privacy: 2, password: true, updated_at: '1' })
  service.unreachable = false
  must(await app.refresh.run())
  await bulk.preview([key(0)], { privacy: 2, masked: true }, 1)
  service.touch(recordAt(0))
  must(await app.refresh.run())
  const { seal } = sealer
  sealer.seal = () => Promise.resolve({ ok: false, error: { code: 'keychain-locked', message: '' } })
  expect(await bulk.apply([key(0)], { privacy: 2, password: 'x' })).toMatchObject({ changed: 0 })
  sealer.seal = seal
  expect(await bulk.apply([key(0)], { privacy: 2, password: 'x' })).toMatchObject({ changed: 1 })
  await delivered()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

test('keeps a line that another client adds while a bulk change waits for the keychain', async () => {
  service.unreachable = false
  const { seal } = sealer
  sealer.seal = async (...typed) => {
    service.touch(recordAt(0), { exclude_ips: ['10.0.0.1', '10.0.0.9', '10.0.0.7'] })
    must(await app.refresh.run())
    return seal(...typed)
  }
  await bulk.apply([key(0)], {
    password: 'a secret',
    exclude_ips: { how: 'edit', add: ['10.0.0.2'], remove: ['10.0.0.1'] },
  })
  await delivered()
  expect(recordAt(0)).toMatchObject({ privacy: 2, exclude_ips: ['10.0.0.9', '10.0.0.7', '10.0.0.2'] })
})

test('reports a list field as not shown only if the service shows it for none of the selected websites', async () => {
  for (const n of [3, 4]) delete recordAt(n).exclude_ips
  service.unreachable = false
  must(await app.refresh.run())
  expect(await bulk.unseenLists([key(3), key(4), 'gone'])).toContain('exclude_ips')
  expect(await bulk.unseenLists([key(3), key(4), key(5)])).not.toContain('exclude_ips')
})
