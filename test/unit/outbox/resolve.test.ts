import { expect, test } from 'vitest'
import type { Resolution } from '../../../src/shared/edit.ts'
import type { WebsiteChanges, WebsiteRecord } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'
import { giveUpCreate } from './rig-late-write.ts'

useApp(() => service.add('there.example', { exclude_ips: ['10.0.0.1', '10.0.0.2'], updated_at: '1' }))

const edit = () => app.edits()[0] ?? expect.fail('nothing waits')
const resolve = (resolution: Resolution) => app.outbox.resolve(edit().id, resolution)

async function both(ours: WebsiteChanges | 'delete', theirs: Partial<WebsiteRecord> | 'delete'): Promise<void> {
  await app.offline()
  must<unknown>(
    ours === 'delete' ? await app.outbox.delete(existingKey()) : await app.outbox.update(existingKey(), ours),
  )
  if (theirs === 'delete') service.records.delete('1')
  else service.touch(record(), theirs)
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(service.writes()).toEqual([])
}

test('shows base, theirs and mine of the fields in conflict only', async () => {
  await both({ privacy: 2, password: 'x', email: true }, { privacy: 0, exclude_bots: false })
  expect(edit()).toMatchObject({ reason: 'conflict', ways: ['units'], needsPassword: false })
  expect(edit().conflict).toEqual({
    base: { privacy: 1 },
    theirs: { privacy: 0, password: false },
    mine: { privacy: 2, password: true },
    units: [{ unit: 'privacy', choices: ['mine', 'theirs'], both: null }],
  })
})

test('an edit in conflict shows the request that the answer “mine” sends, with the other fields merged', async () => {
  await both({ privacy: 0, exclude_ips: ['10.0.0.2', '::3'] }, { privacy: 2, exclude_ips: ['10.0.0.2', '::9'] })
  const shown = { privacy: 0, exclude_ips: ['10.0.0.2', '::9', '::3'] }
  expect(edit()).toMatchObject({ reason: 'conflict', settings: shown })
  must(await resolve({ way: 'units', units: { privacy: 'mine' } }))
  await settled()
  expect(service.updates()).toEqual([shown])
})

test('shows when the remote value of a conflict was read', async () => {
  const before = clock.wall()
  await both({ privacy: 2, password: 'x' }, { privacy: 0 })
  expect(edit().theirsAt).toBeGreaterThanOrEqual(before + 2 * MINUTE)
  expect(edit().theirsAt).toBeLessThanOrEqual(clock.wall())
})

test('the answer “mine” sends the user’s value with the merged fields, and the overwritten remote value can be put back', async () => {
  await both({ privacy: 2, password: 'x', email: true }, { privacy: 0 })
  must(await resolve({ way: 'units', units: { privacy: 'mine' } }))
  await settled()
  expect(service.updates()).toEqual([{ privacy: 2, email: true, password: 'x' }])
  expect(app.history()).toMatchObject([{ became: 'sent', overwritten: { privacy: 0 }, can: { putBack: true } }])
  must(await app.outbox.revert(app.history()[0]?.id ?? '', 'putBack', undefined))
  await settled()
  expect(record()).toMatchObject({ privacy: 0, email: true })
})

test('the answer “theirs” sends the other fields, or removes the edit if no other field is left', async () => {
  await both({ privacy: 2, password: 'x', email: true }, { privacy: 0 })
  must(await resolve({ way: 'units', units: { privacy: 'theirs' } }))
  await settled()
  expect(service.updates()).toEqual([{ email: true }])
  expect(app.edits()).toEqual([])

  await changeAndClearList()
  must(await resolve({ way: 'units', units: { exclude_ips: 'theirs' } }))
  await settled()
  expect(service.updates()).toHaveLength(1)
  expect(app.edits()).toEqual([])
  expect(app.history()[0]).toMatchObject({ became: 'discarded' })
  expect(record().exclude_ips).toEqual([])
})

/** Changes a list offline. Another client clears the list. */
async function changeAndClearList(): Promise<void> {
  await app.offline()
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] }))
  service.touch(record(), { exclude_ips: [] })
  await clock.advance(2 * MINUTE)
  await app.online()
}

test('shows the lines that the choice “both” would give, and sends them if the user chooses it', async () => {
  await changeAndClearList()
  expect(edit().conflict?.units).toEqual([
    { unit: 'exclude_ips', choices: ['mine', 'theirs', 'both'], both: ['10.0.0.9'] },
  ])
  must(await resolve({ way: 'units', units: { exclude_ips: 'both' } }))
  await settled()
  expect(record().exclude_ips).toEqual(['10.0.0.9'])
})

test.each([
  [
    'a field',
    { privacy: 2, password: 'x' },
    [{ privacy: 0 }, { privacy: 1 }],
    { privacy: 'mine' },
    { reason: 'conflict', conflict: { base: { privacy: 0 }, theirs: { privacy: 1 } } },
  ],
  ['a record', { exclude_params: ['ref'] }, [{ email: true }, {}], { exclude_params: 'mine' }, { reason: 'conflict' }],
] as const)(
  'asks again about %s that changes after the user has decided',
  async (_what, ours, theirs, units, expected) => {
    await both(ours as WebsiteChanges, theirs[0])
    await app.offline()
    must(await resolve({ way: 'units', units }))
    service.touch(record(), theirs[1])
    await clock.advance(2 * MINUTE)
    await app.online()
    expect(service.updates()).toEqual([])
    expect(edit()).toMatchObject(expected)
  },
)

test('reports a conflict in a write-only field once its record has changed', async () => {
  await both({ exclude_params: ['ref'] }, { email: true })
  expect(edit().conflict).toMatchObject({ theirs: {}, mine: { exclude_params: ['ref'] } })
  must(await resolve({ way: 'units', units: { exclude_params: 'mine' } }))
  await settled()
  expect(service.updates()).toEqual([{ exclude_params: ['ref'] }])
})

test('rejects an answer to a conflict without one of the offered choices for each unit in conflict', async () => {
  await both({ privacy: 2, password: 'x' }, { privacy: 0 })
  for (const units of [{}, { privacy: 'both' }, { email: 'mine' }] as const) {
    expect(await resolve({ way: 'units', units })).toMatchObject({
      error: { code: 'invalid-input', fields: { privacy: [expect.any(String)] } },
    })
  }
  expect(edit()).toMatchObject({ state: 'parked' })
})

test('rejects a decision that a parked edit does not offer, and a second decision on the same edit', async () => {
  await both({ privacy: 2, password: 'x' }, { privacy: 0 })
  for (const way of ['adopt', 'recreate', 'delete', 'keep'] as const)
    expect(codeOf(await resolve({ way }))).toBe('edit-gone')
  const { id } = edit()
  must(await resolve({ way: 'units', units: { privacy: 'theirs' } }))
  expect(codeOf(await app.outbox.resolve(id, { way: 'units', units: { privacy: 'mine' } }))).toBe('edit-gone')
  expect(codeOf(await app.outbox.resolve('nobody', { way: 'keep' }))).toBe('edit-gone')
})

test('keeps a changed website as it is if the user drops the delete', async () => {
  await both('delete', { privacy: 0 })
  must(await resolve({ way: 'keep' }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual([])
  expect(record()).toMatchObject({ privacy: 0 })
})

test('deletes a changed website ten seconds after the user confirms', async () => {
  await both('delete', { privacy: 0 })
  expect(edit()).toMatchObject({
    reason: 'conflict',
    ways: ['delete', 'keep'],
    conflict: { base: { privacy: 1 }, theirs: { privacy: 0 }, units: [] },
  })
  must(await resolve({ way: 'delete' }))
  await settled()
  expect(edit()).toMatchObject({ state: 'held', reason: 'undo' })
  await clock.advance(10_000)
  expect(service.records.size).toBe(0)
})

test('deletes a changed website ten seconds after the user confirms, even if the delete had been sent before', async () => {
  const release = service.hold('delete')
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(existingKey()))
  await clock.advance(11_000)
  service.touch(record(), { privacy: 0 })
  release()
  await clock.advance(MINUTE)
  expect(edit()).toMatchObject({ reason: 'conflict', ways: ['delete', 'keep'] })
  must(await resolve({ way: 'delete' }))
  await settled()
  expect(edit()).toMatchObject({ state: 'held', reason: 'undo' })
  await clock.advance(10_000)
  expect(service.records.size).toBe(0)
})

test('a delete that replaces a change in conflict does not ask about what the user saw in that conflict', async () => {
  await both({ privacy: 2, password: 'x' }, { privacy: 0 })
  must(await app.outbox.delete(existingKey()))
  await clock.advance(MINUTE)
  expect(service.records.size).toBe(0)
})

test('the undo of a delete that replaces a change in conflict asks about the conflict again', async () => {
  await both({ privacy: 2, password: 'x' }, { privacy: 0 })
  must(await app.outbox.delete(existingKey()))
  must(app.outbox.undo(edit().id))
  await clock.advance(MINUTE)
  expect(edit()).toMatchObject({ kind: 'update', reason: 'conflict', conflict: { theirs: { privacy: 0 } } })
  expect(service.writes()).toEqual([])
})

test('a delete that replaces a change does not ask about a remote change of another setting that was shown before the delete', async () => {
  await clock.advance(MINUTE)
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  service.touch(record(), { exclude_bots: false })
  must(await app.refresh.run())
  must(await app.outbox.delete(existingKey()))
  must(app.outbox.undo(edit().id))
  must(await app.outbox.delete(existingKey()))
  release()
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.records.size).toBe(0)
})

test('a delete that replaces a change asks about a remote change of the same setting, because the replaced change had hidden the remote value', async () => {
  await clock.advance(MINUTE)
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  service.touch(record(), { privacy: 2 })
  must(await app.refresh.run())
  must(await app.outbox.delete(existingKey()))
  release()
  await clock.advance(MINUTE)
  expect(edit()).toMatchObject({
    kind: 'delete',
    reason: 'conflict',
    conflict: { base: { privacy: 1 }, theirs: { privacy: 2 } },
  })
})

test('sends the update that a delete had replaced if the user decides to keep the changed website', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await app.outbox.delete(existingKey()))
  service.touch(record(), { privacy: 0 })
  await clock.advance(2 * MINUTE)
  await app.online()
  must(await resolve({ way: 'keep' }))
  await settled()
  expect(record()).toMatchObject({ privacy: 0, email: true })
  expect(app.list()).toMatchObject([{ state: 'synced' }])
})

test('the undo of a delete that the user had confirmed sends the replaced change, and keeps the lines of other clients', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.2', '10.0.0.3'] }))
  must(await app.outbox.delete(existingKey()))
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
  await clock.advance(2 * MINUTE)
  await app.online()
  const { id } = edit()
  must(await resolve({ way: 'delete' }))
  must(app.outbox.undo(id))
  await settled()
  expect(record().exclude_ips).toEqual(['10.0.0.2', '10.0.0.9', '10.0.0.3'])
})

test('creates a website that another client deleted again under the same key, with its last settings and the pending change', async () => {
  const key = existingKey()
  await both({ email: true }, 'delete')
  expect(edit()).toMatchObject({ reason: 'gone', ways: ['recreate'], needsPassword: false })
  must(await resolve({ way: 'recreate' }))
  expect(edit()).toMatchObject({ kind: 'create', domain: 'there.example' })
  await settled()
  expect([...service.records.values()]).toMatchObject([
    { email: true, privacy: 1, exclude_ips: ['10.0.0.1', '10.0.0.2'] },
  ])
  expect(app.list()).toMatchObject([{ key, id: '2', state: 'synced' }])
})

test('after a deleted website was created again, does not report the old one as added if a list shows it again', async () => {
  const old = { ...record() }
  await both({ email: true }, 'delete')
  must(await resolve({ way: 'recreate' }))
  await settled()
  must(await app.refresh.run())
  service.records.set('1', old)
  must(await app.refresh.run())
  expect(app.remote().map(({ kind }) => kind)).not.toContain('added')
})

test('creates a deleted website again with a password only if the user types it', async () => {
  Object.assign(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  await both({ email: true }, 'delete')
  expect(edit()).toMatchObject({ needsPassword: true })
  expect(await resolve({ way: 'recreate' })).toMatchObject({
    error: { code: 'invalid-input', fields: { password: [expect.any(String)] } },
  })
  expect(edit()).toMatchObject({ state: 'parked', reason: 'gone' })
  must(await resolve({ way: 'recreate', password: 'anew' }))
  await settled()
  expect(service.received.findLast(({ operation }) => operation === 'create')?.sent).toMatchObject({ password: 'anew' })
})

test('creates a deleted website again with a pending password', async () => {
  await both({ privacy: 2, password: 'waiting' }, 'delete')
  expect(edit()).toMatchObject({ needsPassword: false })
  must(await resolve({ way: 'recreate' }))
  await settled()
  expect(service.received.findLast(({ operation }) => operation === 'create')?.sent).toMatchObject({
    password: 'waiting',
  })
})

test('adopts an existing website and sends only what differs', async () => {
  service.add('mine.example', { email: false, privacy: 0, exclude_ips: ['10.0.0.3'] })
  const key = must(await app.outbox.create(draft('mine.example', { email: true, privacy: 0 })))
  await settled()
  expect(edit()).toMatchObject({ reason: 'domain-taken', ways: ['adopt'], conflict: { theirs: { email: false } } })
  must(await resolve({ way: 'adopt' }))
  await settled()
  expect(service.updates()).toEqual([{ email: true }])
  expect(app.list('mine')).toMatchObject([{ key, id: '2', state: 'synced', email: true }])
  expect(app.history()).toMatchObject([{ became: 'sent', overwritten: { email: false } }, { became: 'adopted' }])
})

test('a value that an adoption overwrote can be put back, even if the service did not keep another value of that update', async () => {
  service.ignores.add('exclude_bots')
  service.add('mine.example', { privacy: 0 })
  must(await app.outbox.create(draft('mine.example', { privacy: 1, exclude_bots: false })))
  await settled()
  must(await resolve({ way: 'adopt' }))
  await settled()
  expect(service.updates()).toEqual([{ privacy: 1, exclude_bots: false }, { exclude_bots: false }])
  expect(app.history()[0]).toMatchObject({ became: 'sent', overwritten: { privacy: 0 }, can: { putBack: true } })
})

test('merges an adopted website with the row that a refresh has added and the user has edited', async () => {
  service.add('mine.example')
  const key = must(await app.outbox.create(draft('mine.example', { email: true })))
  await settled()
  must(await app.refresh.run())
  const met = app.store.websiteOfId('2')?.key ?? expect.fail('not met')
  expect(met).not.toBe(key)
  await app.offline()
  must(await app.outbox.update(met, { privacy: 0, exclude_bots: false }))
  must(await resolve({ way: 'adopt' }))
  await app.online()
  // The existing website's pending changes are newer than the values of the create.
  expect(app.list('mine')).toMatchObject([{ state: 'synced', email: true, privacy: 0, exclude_bots: false, id: '2' }])
  expect(app.edits()).toEqual([])
  // The user can restore the overwritten values.
  expect(app.history()[0]).toMatchObject({ became: 'sent', overwritten: { email: false }, can: { putBack: true } })
})

test('an adoption that is chosen offline sends only what differs from the values in the opened question, on a host without times', async () => {
  service.touch = () => {}
  const existing = service.add('mine.example', { email: false })
  delete existing.updated_at
  must(await app.outbox.create(draft('mine.example', { email: true, exclude_bots: true })))
  await settled()
  must(await app.refresh.run())
  existing.email = true
  existing.exclude_bots = false
  must(await app.outbox.readAgain(edit().id))
  expect(edit().conflict).toMatchObject({ theirs: { email: true, exclude_bots: false } })
  await app.offline()
  must(await resolve({ way: 'adopt' }))
  expect(app.edits()).toMatchObject([{ kind: 'update', settings: { exclude_bots: true } }])
  await app.online(MINUTE)
  expect(service.updates()).toEqual([{ exclude_bots: true }])
})

/** Makes the app ask about a website that has changed. Expects that an offline answer sends what the question shows. */
async function adoptOffline(existing: WebsiteRecord, ask: () => Promise<void>): Promise<void> {
  must(await app.refresh.run())
  existing.email = true
  await ask()
  expect(edit().conflict?.theirs).toMatchObject({ email: true })
  expect(Object.fromEntries(edit().request.form)).toEqual({ email: '0' })
  await app.offline()
  must(await resolve({ way: 'adopt' }))
  await app.online(MINUTE)
  expect(service.updates()).toEqual([{ email: false }])
}

test('an adoption after “domain taken” that is chosen offline sends what the question shows, even if the last refresh is older, on a host without times', async () => {
  const existing = service.add('mine.example')
  must(await app.outbox.create(draft('mine.example')))
  await settled()
  await adoptOffline(existing, async () => {
    must(app.outbox.sendNow(edit().id))
    await clock.advance(MINUTE)
  })
})

test('an adoption of the website of a late create that is chosen offline sends what the question shows, even if the last refresh is older, on a host without times', async () => {
  await giveUpCreate('mine.example')
  await adoptOffline(service.add('mine.example'), () => clock.advance(11 * MINUTE))
})

test('after an adoption, shows the website as a refresh has read it since the user was asked', async () => {
  const record = service.add('mine.example', { updated_at: '2026-01-01T00:00:00Z' })
  const key = must(await app.outbox.create(draft('mine.example')))
  await settled()
  Object.assign(record, { email: true, exclude_ips: ['10.0.0.9'], updated_at: '2026-01-01T00:10:00Z' })
  must(await app.refresh.run())
  await app.offline()
  must(await resolve({ way: 'adopt' }))
  expect(app.list('mine')).toMatchObject([{ key, id: '2', email: true, exclude_ips: ['10.0.0.9'] }])
})

test('shows a new website and the existing one with its domain as one row, which can be corrected before the user adopts the existing website', async () => {
  await app.offline()
  const key = must(await app.outbox.create(draft('mine.example', { email: true, exclude_ips: ['10.0.0.1'] })))
  const record = service.add('mine.example', { exclude_ips: ['10.0.0.8'], updated_at: '2026-01-01T00:00:00Z' })
  await app.online()
  await clock.advance(MINUTE)
  must(await app.refresh.run())
  expect(app.list('mine')).toMatchObject([{ key, state: 'parked' }])
  must(await app.outbox.correct(key, draft('mine.example', { email: true, exclude_ips: ['10.0.0.2'] })))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
  expect(edit()).toMatchObject({
    reason: 'domain-taken',
    request: { method: 'PUT', path: expect.stringContaining('2') },
    conflict: { theirs: { exclude_ips: ['10.0.0.8'] }, mine: { exclude_ips: ['10.0.0.8', '10.0.0.2'] } },
  })
  const shown = Object.fromEntries(edit().request.form)
  expect(shown).toEqual({ email: '1', exclude_ips: '10.0.0.8\n10.0.0.2' })
  service.touch(record, { exclude_ips: ['10.0.0.8', '10.0.0.9'] })
  must(await resolve({ way: 'adopt' }))
  await settled()
  expect(service.updates()).toEqual([{ email: true, exclude_ips: ['10.0.0.8', '10.0.0.9', '10.0.0.2'] }])
  expect(app.list('mine')).toMatchObject([{ key, id: '2', state: 'synced' }])
})

test('shows the existing website again once the new one is discarded', async () => {
  service.add('mine.example')
  must(await app.outbox.create(draft('mine.example', { email: true })))
  await settled()
  must(await app.refresh.run())
  must(app.outbox.discard(edit().id))
  expect(app.list('mine')).toMatchObject([{ id: '2', state: 'synced' }])
})

test('offers to adopt an existing website even at the plan’s limit', async () => {
  const domain = ['The domain has already been taken.', 'You added too many websites.']
  service.add('mine.example', { email: false })
  service.fail('create', { refuse: 'invalid', fields: { domain } })
  must(await app.outbox.create(draft('mine.example', { email: true })))
  await settled()
  expect(edit()).toMatchObject({ reason: 'domain-taken', ways: ['adopt'], error: { fields: { domain } } })
  must(await resolve({ way: 'adopt' }))
  await settled()

  service.fail('create', { refuse: 'invalid', fields: { domain } })
  must(await app.outbox.create(draft('theirs.example')))
  await settled()
  expect(edit()).toMatchObject({ reason: 'website-limit', ways: [] })
})

test('does not offer to use an existing website if no website of the account has the taken domain', async () => {
  service.fail('create', { refuse: 'invalid', fields: { domain: ['The domain has already been taken.'] } })
  must(await app.outbox.create(draft('theirs.example')))
  await settled()
  expect(edit()).toMatchObject({ reason: 'domain-taken', ways: [], conflict: null })
})

test('adopts or deletes a website whose create was given up and has taken effect', async () => {
  for (const way of ['adopt', 'delete'] as const) {
    await giveUpCreate(`${way}.example`, { email: true })
    service.add(`${way}.example`, { email: false })
    await clock.advance(11 * MINUTE)
    expect(edit()).toMatchObject({ reason: 'appeared', ways: ['adopt', 'delete'], theirsAt: expect.any(Number) })
    must(await resolve({ way }))
    await clock.advance(MINUTE)
    expect(app.edits()).toEqual([])
  }
  expect([...service.records.values()]).toMatchObject([{}, { domain: 'adopt.example', email: true }])
  expect(app.list()).toHaveLength(2)
})

test('stores an accepted decision at once while offline, and changes nothing for a rejected decision', async () => {
  await both({ privacy: 2, password: 'x' }, { privacy: 0 })
  const before = app.store.editsOf(existingKey())
  await resolve({ way: 'units', units: {} })
  expect(app.store.editsOf(existingKey())).toEqual(before)
  await app.offline()
  must(await resolve({ way: 'units', units: { privacy: 'mine' } }))
  expect(app.store.editsOf(existingKey())).toMatchObject([
    { standing: { state: 'queued' }, base: { settings: { privacy: 0 } } },
  ])
})

test('the answer to a question about a delete covers all remote changes before the answer, even those after the question', async () => {
  await both('delete', { privacy: 0 })
  service.touch(record(), { email: true })
  must(await resolve({ way: 'delete' }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.records.size).toBe(0)
})

test('asks about a delete again if the website was changed after the answer, and shows only that change', async () => {
  await both('delete', { privacy: 0 })
  expect(edit().answered).toBeUndefined()
  must(await resolve({ way: 'delete' }))
  service.touch(record(), { email: true })
  await clock.advance(MINUTE)
  expect(edit()).toMatchObject({
    reason: 'conflict',
    answered: true,
    conflict: { base: { email: false }, theirs: { email: true } },
  })
  expect(edit().conflict?.theirs).not.toHaveProperty('privacy')
})

test('an answer that is given offline covers the remote changes that a refresh has read since the question', async () => {
  await both('delete', { privacy: 0 })
  service.touch(record(), { email: true })
  must(await app.refresh.run())
  await app.offline()
  must(await resolve({ way: 'delete' }))
  await app.online()
  await clock.advance(MINUTE)
  expect(service.records.size).toBe(0)
})

test('the answer “mine” overwrites a newer remote value, which the history records as overwritten', async () => {
  await both({ privacy: 2, password: 'x' }, { privacy: 0 })
  service.touch(record(), { privacy: 1, exclude_bots: false })
  must(await resolve({ way: 'units', units: { privacy: 'mine' } }))
  await settled()
  expect(service.updates()).toEqual([{ privacy: 2, password: 'x' }])
  expect(app.history()).toMatchObject([{ became: 'sent', overwritten: { privacy: 1 } }])
})

test('sends nothing of a unit for which the user chooses theirs, even if the other client has undone its change after the question', async () => {
  await both({ privacy: 2, password: 'x', email: true }, { privacy: 0 })
  service.touch(record(), { privacy: 1 })
  must(await resolve({ way: 'units', units: { privacy: 'theirs' } }))
  await settled()
  expect(service.updates()).toEqual([{ email: true }])
})

test('keeps the answer about one unit, and asks only about another unit that came into conflict after the question', async () => {
  await both({ privacy: 0, exclude_ips: [] }, { privacy: 2 })
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
  must(await resolve({ way: 'units', units: { privacy: 'mine' } }))
  expect(edit()).toMatchObject({ reason: 'conflict', answered: true, conflict: { units: [{ unit: 'exclude_ips' }] } })
  must(await resolve({ way: 'units', units: { exclude_ips: 'mine' } }))
  await settled()
  expect(service.updates()).toEqual([{ privacy: 0, exclude_ips: [] }])
})

test('reads the remote values again when the user looks at a conflict, and sends the edit once they no longer conflict', async () => {
  await both({ privacy: 0 }, { privacy: 2 })
  await clock.advance(5 * MINUTE)
  service.touch(record(), { email: true })
  must(await app.outbox.readAgain(edit().id))
  expect(edit().theirsAt).toBe(clock.wall())
  service.touch(record(), { privacy: 1 })
  await clock.advance(5_000)
  must(await app.outbox.readAgain(edit().id))
  await settled()
  expect(app.edits()).toEqual([])
  expect(record()).toMatchObject({ privacy: 0, email: true })
})

test('reads the website of a conflict even while a long delivery has used up its share of the rate limit', async () => {
  await both({ privacy: 0 }, { privacy: 2 })
  while (app.budget.tryTake('replay'));
  await clock.advance(1_000)
  service.touch(record(), { privacy: 1 })
  must(await app.outbox.readAgain(edit().id))
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'budget' }])
})

test('a decision waits at most five seconds for a read of the website, and then takes effect without it', async () => {
  await both('delete', { privacy: 0 })
  service.hold('get')
  const answered = resolve({ way: 'keep' })
  await clock.advance(5_000)
  must(await answered)
  expect(app.edits()).toEqual([])
})

test('a lost request for a deleted website leads to no repair of the website that was created in its place', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  service.records.delete('1')
  await clock.advance(2 * MINUTE)
  expect(edit()).toMatchObject({ reason: 'gone' })
  must(await resolve({ way: 'recreate' }))
  await settled()
  must(await app.outbox.update(existingKey(), { email: false }))
  await clock.advance(MINUTE)
  service.touch(service.records.get('2') ?? expect.fail('it is gone'), { email: true })
  const before = service.writes().length
  await clock.advance(30 * MINUTE)
  expect(service.writes()).toHaveLength(before)
  expect(service.records.get('2')).toMatchObject({ email: true })
})

test('keeps the answer about a password, and asks only about a unit that came into conflict after the question', async () => {
  Object.assign(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  await both({ privacy: 2, password: 'x', exclude_ips: [] }, { exclude_bots: false })
  expect(edit()).toMatchObject({ conflict: { units: [{ unit: 'privacy' }] } })
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
  must(await resolve({ way: 'units', units: { privacy: 'mine' } }))
  expect(edit().conflict?.units).toMatchObject([{ unit: 'exclude_ips' }])
  must(await resolve({ way: 'units', units: { exclude_ips: 'mine' } }))
  await settled()
  expect(service.updates()).toEqual([{ privacy: 2, password: 'x', exclude_ips: [] }])
})
