import { expect, test } from 'vitest'
import { MINUTE, settled } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { answerUpdateWithNothing, app, clock, service, existingKey, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { email: false, exclude_ips: ['10.0.0.1'] }))

const latest = () => app.history()[0] ?? expect.fail('the history is empty')
const undoLatest = (password?: string) => app.outbox.revert(latest().id, 'undo', password)

test('lists the sent changes, the latest first, each with the values that it replaced', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  clock.jump(5_000)
  must(await app.outbox.create(draft('new.example', { privacy: 2, password: 'canary' })))
  await app.online(11_000)
  expect(app.history()).toMatchObject([
    { domain: 'new.example', kind: 'create', became: 'sent', password: true, can: { undo: true, putBack: false } },
    { domain: 'there.example', kind: 'update', became: 'sent', settings: { email: true }, before: { email: false } },
  ])
  expect(app.history(existingKey())).toHaveLength(1)
  expect(JSON.stringify(app.history())).not.toContain('canary')
})

test('lists what was undone or discarded, and offers no undo for it', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(latest()).toMatchObject({ became: 'undone', settings: { email: true }, can: { undo: false, putBack: false } })
  service.fail('create', { refuse: 'invalid', fields: { exclude_ips: ['No.'] } })
  must(await app.outbox.create(draft('bad.example')))
  await app.online(11_000)
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  expect(latest()).toMatchObject({ became: 'discarded', domain: 'bad.example', website: null, can: { undo: false } })
})

test('an undo restores the earlier values on the service, once', async () => {
  must(await app.outbox.update(existingKey(), { email: true, exclude_ips: [] }))
  await app.online(11_000)
  const { id } = latest()
  must(await app.outbox.revert(id, 'undo', undefined))
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ email: false, exclude_ips: ['10.0.0.1'] })
  expect(app.history().find((entry) => entry.id === id)?.can.undo).toBe(false)
  expect(codeOf(await app.outbox.revert(id, 'undo', undefined))).toBe('edit-gone')
  expect(codeOf(await app.outbox.revert('nothing', 'undo', undefined))).toBe('edit-gone')
})

test('an undo restores a list of more than 64 KiB that was shortened', async () => {
  const long = Array.from({ length: 200 }, (_, n) => `${n}`.padStart(511, 'x'))
  Object.assign(service.records.get('1') ?? {}, { exclude_ips: long })
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), { exclude_ips: long.slice(1) }))
  await app.online(11_000)
  must(await undoLatest())
  await app.online(11_000)
  expect(service.records.get('1')?.exclude_ips?.toSorted()).toEqual(long.toSorted())
})

test('offers no undo for an update that only sets a new password', async () => {
  Object.assign(service.records.get('1') ?? {}, { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'canary' }))
  await app.online(11_000)
  expect(latest()).toMatchObject({ became: 'sent', can: { undo: false }, lost: ['password'] })
  expect(codeOf(await undoLatest('other'))).toBe('edit-gone')
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'newer', email: true }))
  await app.online(11_000)
  must(await undoLatest())
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ privacy: 2, email: false })
})

test('names the write-only fields that an undo cannot bring back, and undoes the rest', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'canary', exclude_params: ['a'] }))
  await app.online(11_000)
  expect(latest().lost).toEqual(['exclude_params', 'password'])
  must(await undoLatest())
  await app.offline()
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ privacy: 1 })
})

test('an undo leaves a field that the user has changed since, and asks about a field that another client has changed since', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 0, email: true, exclude_bots: false }))
  await app.online(11_000)
  const { id } = latest()
  Object.assign(service.records.get('1') ?? {}, { privacy: 2 })
  must(await app.refresh.run())
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: false }))
  must(await app.outbox.revert(id, 'undo', undefined))
  expect(app.edits()).toMatchObject([{ settings: { privacy: 1, email: false, exclude_bots: true } }])
  await app.online(11_000)
  const edit = app.edits()[0] ?? expect.fail('the edit is gone')
  expect(edit).toMatchObject({ state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'privacy' }] } })
  must(await app.outbox.resolve(edit.id, { way: 'units', units: { privacy: 'theirs' } }))
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ privacy: 2, email: false, exclude_bots: true })
})

test('names the fields that an undo will not change, because the user has changed them again since', async () => {
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.7'], email: true }))
  await app.online(11_000)
  const { id, kept } = latest()
  expect(kept).toBeUndefined()
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.8'] }))
  await app.online(11_000)
  expect(app.history().find((entry) => entry.id === id)).toMatchObject({ can: { undo: true }, kept: ['exclude_ips'] })
})

test('offers no undo of a change if the user has changed all its fields since', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await app.online(11_000)
  const { id } = latest()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x' }))
  await app.online(11_000)
  expect(app.history().find((entry) => entry.id === id)?.can.undo).toBe(false)
  expect(codeOf(await app.outbox.revert(id, 'undo', undefined))).toBe('edit-gone')
})

test('offers no undo of a change that more than a hundred later changes of its website follow', async () => {
  const key = app.keyOf('there.example')
  for (let n = 0; n <= 102; n++) {
    must(await app.outbox.update(key, n === 1 ? { privacy: 0 } : { email: n % 2 === 0 }))
    await clock.advance(5_000)
  }
  const results = app.store.historyRecords(key, 200)
  expect(results.length).toBeGreaterThan(100)
  const oldest = results.at(-1)?.id ?? ''
  expect(codeOf(app.outbox.undo(oldest))).toBe('edit-gone')
})

test('the undo of a changed list takes back only its own lines, and keeps a line that another client has added since', async () => {
  const before = service.records.get('1')?.exclude_ips ?? []
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.3'] }))
  await app.online(11_000)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  service.touch(record, { exclude_ips: [...(record.exclude_ips ?? []), '10.0.0.9'] })
  must(await app.refresh.run())
  must(await undoLatest())
  await app.online(11_000)
  expect(record.exclude_ips?.toSorted()).toEqual([...before, '10.0.0.9'].toSorted())
})

test('an undo also takes back the applied part of a change whose other part waits to be sent again', async () => {
  service.ignores.add('email')
  service.after = (operation) => {
    if (operation === 'update') service.unreachable = true
  }
  must(await app.outbox.update(existingKey(), { email: true, exclude_ips: ['10.0.0.1', '10.0.0.3'] }))
  await settled()
  await clock.advance(1_000)
  expect(service.records.get('1')).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.3'] })
  const edit = app.edits()[0] ?? expect.fail('nothing is waiting')
  expect(edit).toMatchObject({ settings: { email: true } })
  must(app.outbox.undo(edit.id))
  service.after = () => {}
  await app.online(MINUTE)
  expect(service.records.get('1')).toMatchObject({ email: false, exclude_ips: ['10.0.0.1'] })
})

test.each([
  ['alone', null],
  ['together with a later save', { email: true }],
])(
  'the undo of an added line keeps a line that another client has added since, and asks nothing: the undo is sent %s',
  async (_how, saved) => {
    service.touch(service.records.get('1') ?? expect.fail('it is gone'), { exclude_ips: [] })
    must(await app.refresh.run())
    must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.3'] }))
    await app.online(11_000)
    await app.offline()
    must(await undoLatest())
    if (saved !== null) must(await app.outbox.update(existingKey(), saved))
    const record = service.records.get('1') ?? expect.fail('it is gone')
    service.touch(record, { exclude_ips: ['10.0.0.3', '10.0.0.9'] })
    await app.online(11_000)
    expect(app.edits()).toEqual([])
    expect(record.exclude_ips).toEqual(['10.0.0.9'])
  },
)

test('repeated undos of a sent change take back its saves one by one, the latest first', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await app.outbox.update(existingKey(), { exclude_bots: false }))
  await app.online(11_000)
  const { id } = latest()
  expect(must(app.outbox.undo(id))).toBe('queued')
  expect(app.view.get(existingKey())).toMatchObject({ email: true, exclude_bots: true })
  expect(must(app.outbox.undo(id))).toBe('queued')
  expect(app.view.get(existingKey())).toMatchObject({ email: false, exclude_bots: true })
  expect(codeOf(app.outbox.undo(id))).toBe('edit-gone')
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ email: false, exclude_bots: true })
})

test('undo takes back a save, and not the earlier undo that is pending in the same edit', async () => {
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.3'] }))
  await app.online(11_000)
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await undoLatest())
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.7'], exclude_bots: false }))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.view.get(existingKey())).toMatchObject({ email: true, exclude_bots: true, exclude_ips: ['10.0.0.1'] })
})

test('an undo takes back the save that set a refused change back, and not the save before it', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  service.fail('update', { refuse: 'rate-limited' })
  const release = service.hold('update')
  must(await app.outbox.update(existingKey(), { exclude_bots: false }))
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_bots: true }))
  release()
  await settled()
  expect(app.edits()).toEqual([])
  expect(must(app.outbox.undo(latest().id))).toBe('queued')
  expect(app.view.get(existingKey())).toMatchObject({ email: true, exclude_bots: false })
  await app.online(MINUTE)
  expect(must(app.outbox.undo(app.history().find(({ isUndo }) => isUndo !== true)?.id ?? ''))).toBe('queued')
  await app.online(MINUTE)
  expect(service.records.get('1')).toMatchObject({ email: true, exclude_bots: true })
})

test('lists only the applied field of a change if the user set the other field back while the change was being sent', async () => {
  service.ignores.add('exclude_bots')
  const release = service.hold('update')
  must(await app.outbox.update(existingKey(), { email: true, exclude_bots: false }))
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_bots: true }))
  release()
  await app.online(MINUTE)
  expect(app.edits()).toEqual([])
  expect(latest()).toMatchObject({ became: 'sent', settings: { email: true }, before: { email: false } })
  expect(latest().settings).not.toHaveProperty('exclude_bots')
  for (const email of [true, false]) {
    must(app.outbox.undo(latest().id))
    expect(app.view.get(existingKey())).toMatchObject({ email })
  }
})

test.each([
  ['alone', {}],
  ['together with another change', { email: true }],
])(
  'asks if another client has changed a sent value, and the user then undoes their own change and makes it again, %s',
  async (_, first) => {
    must(await app.outbox.update(existingKey(), { privacy: 0 }))
    await app.online(11_000)
    const { id } = latest()
    Object.assign(service.records.get('1') ?? {}, { privacy: 2, password: true })
    await clock.advance(MINUTE)
    must(await app.refresh.run())
    await app.offline()
    if ('email' in first) must(await app.outbox.update(existingKey(), first))
    must(await app.outbox.revert(id, 'undo', undefined))
    must(await app.outbox.update(existingKey(), { privacy: 0 }))
    await app.online(MINUTE)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', settings: { privacy: 0 } }])
    expect(service.records.get('1')).toMatchObject({ privacy: 2 })
  },
)

test('saves that cancel each other out can still be undone after a later save was undone', async () => {
  Object.assign(service.records.get('1') ?? {}, { privacy: 2, password: true })
  must(await app.refresh.run())
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true, privacy: 2, password: 'x' }))
  must(await app.outbox.update(existingKey(), { email: false }))
  must(await app.outbox.update(existingKey(), { privacy: 1 }))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toEqual([])
  must(app.outbox.undo(latest().id))
  expect(app.view.get(existingKey())).toMatchObject({ email: true, privacy: 2 })
})

test('an undo can’t be undone any more once a later undo has set the same field', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x' }))
  await app.online(11_000)
  const { id } = latest()
  must(app.outbox.undo(id))
  await app.online(11_000)
  const first = latest()
  must(app.outbox.undo(id))
  await app.online(11_000)
  expect(app.view.get(existingKey())).toMatchObject({ privacy: 1 })
  expect(app.history().find((entry) => entry.id === first.id)).toMatchObject({ isUndo: true, can: { undo: false } })
  expect(latest().can.undo).toBe(true)
})

test('sends a value that the user sets after an undo', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  await app.offline()
  must(await undoLatest())
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ email: true })
  expect(app.edits()).toEqual([])
})

test('deletes a created website ten seconds after the undo, which can itself be undone', async () => {
  const key = must(await app.outbox.create(draft('new.example')))
  await settled()
  must(await undoLatest())
  await clock.advance(9_000)
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'held', reason: 'undo', can: { undo: true } }])
  await clock.advance(2_000)
  expect(service.domains()).toEqual(['there.example'])
  expect(app.view.get(key)).toBeNull()
})

test('the undo of a sent delete creates the website again, and needs a new password if the website had one', async () => {
  const made = service.add('secret.example', { privacy: 2, password: true, email: true, exclude_ips: ['10.0.0.2'] })
  must(await app.refresh.run())
  must(await app.outbox.delete(app.keyOf('secret.example')))
  await app.online(11_000)
  expect(service.records.has(made.id)).toBe(false)
  expect(latest()).toMatchObject({ kind: 'delete', website: null, lost: ['exclude_params', 'password'] })
  const refused = await undoLatest()
  expect(refused).toMatchObject({ error: { code: 'invalid-input', fields: { password: [expect.any(String)] } } })
  expect(latest().can.undo).toBe(true)
  must(await undoLatest('typed anew'))
  await app.online(11_000)
  const again = [...service.records.values()].find(({ domain }) => domain === 'secret.example')
  expect(again).toMatchObject({ privacy: 2, password: true, email: true, exclude_ips: ['10.0.0.2'] })
  expect(app.history().filter(({ can, kind }) => kind === 'delete' && can.undo)).toEqual([])
})

test('the undo of a sent delete is refused while another website of the list has its domain', async () => {
  must(await app.outbox.delete(existingKey()))
  await app.online(11_000)
  service.add('there.example')
  must(await app.refresh.run())
  expect(await undoLatest()).toMatchObject({
    error: { code: 'invalid-input', fields: { domain: [expect.any(String)] } },
  })
  expect(latest().can.undo).toBe(true)
})

test('Put back restores the remote values that the user knowingly overwrote, and is refused the second time', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  const edit = app.store.editsOf(existingKey())[0] ?? expect.fail('nothing is queued')
  app.store.write(() => {
    app.store.saveEdit({ ...edit, note: { overwrites: { email: false } } })
    return { ok: true, value: undefined }
  })
  await app.online(11_000)
  expect(latest()).toMatchObject({ overwritten: { email: false }, can: { putBack: true } })
  const { id } = latest()
  must(await app.outbox.revert(id, 'putBack', undefined))
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ email: false })
  expect(codeOf(await app.outbox.revert(id, 'putBack', undefined))).toBe('edit-gone')
})

test('remembers an applied edit as applied, whatever is recorded later', () => {
  const historyRecord = {
    ...({ id: 'e', website: 'k', domain: 'a.example', kind: 'update', settings: {}, password: false } as const),
    ...{ before: {}, overwritten: {}, ignored: {}, at: 1, undone: false, putBack: false },
  }
  for (const became of ['discarded', 'sent', 'discarded'] as const)
    must(app.store.write(() => ({ ok: true, value: app.store.addHistoryRecord({ ...historyRecord, became }) })))
  expect(app.store.historyRecord('e')?.became).toBe('discarded')
  expect(app.store.wasApplied('e')).toBe(true)
})

test('asks before the undo of a password save overwrites a remote privacy that this app has never shown', async () => {
  const record = service.records.get('1') ?? expect.fail('it is gone')
  service.touch(record, { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), { email: true, password: 'ours' }))
  await app.online(11_000)
  service.touch(record, { privacy: 0, password: false })
  await app.offline()
  await clock.advance(120_000)
  must(await undoLatest('the one before'))
  await app.online(11_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  expect(service.writes()).toEqual(['update'])
})

test('an undo keeps a remote line, and asks about a remote privacy, that was set before an empty answer was read back', async () => {
  const record = service.records.get('1') ?? expect.fail('it is gone')
  answerUpdateWithNothing(() =>
    service.touch(record, { exclude_ips: [...(record.exclude_ips ?? []), '10.0.0.9'], privacy: 2, password: true }),
  )
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2'], privacy: 0, email: true }))
  await app.online(11_000)
  expect(latest()).toMatchObject({ became: 'sent', ignored: { privacy: 2 } })
  expect(latest().ignored).not.toHaveProperty('exclude_ips')
  must(await undoLatest())
  await app.online(11_000)
  // The privacy may come from the service or from another client, so the user decides.
  const edit = app.edits()[0] ?? expect.fail('the edit is gone')
  expect(edit).toMatchObject({ state: 'parked', conflict: { units: [{ unit: 'privacy' }] } })
  must(await app.outbox.resolve(edit.id, { way: 'units', units: { privacy: 'theirs' } }))
  await app.online(11_000)
  expect(record).toMatchObject({ email: false, privacy: 2, exclude_ips: ['10.0.0.1', '10.0.0.9'] })
})

test('the undo of an added line keeps a line that another client had put in its place', async () => {
  const record = service.records.get('1') ?? expect.fail('it is gone')
  answerUpdateWithNothing(() => service.touch(record, { exclude_ips: ['10.0.0.1', '10.0.0.9'] }))
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2'], email: true }))
  await app.online(11_000)
  must(await undoLatest())
  await app.online(11_000)
  expect(record).toMatchObject({ email: false, exclude_ips: ['10.0.0.1', '10.0.0.9'] })
})

test('undoes lines that the service has returned in another form', async () => {
  const { update } = service
  service.update = async (id, changes) => {
    const answer = await update(id, changes)
    const record = service.records.get('1') ?? expect.fail('it is gone')
    const lines = record.exclude_ips?.map((line) => (line === '10.0.0.2' ? '10.0.0.2/32' : line)) ?? []
    Object.assign(record, { exclude_ips: lines })
    return answer.outcome === 'applied' ? { ...answer, value: { ...record } } : answer
  }
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  await app.online(11_000)
  expect(latest()).toMatchObject({ ignored: { exclude_ips: ['10.0.0.1', '10.0.0.2/32'] } })
  must(await undoLatest())
  await app.online(11_000)
  expect(service.records.get('1')).toMatchObject({ exclude_ips: ['10.0.0.1'] })
})

test('does not report write-only values as sent if they were changed before they were sent again', async () => {
  service.fail('create', { lost: 'answer' })
  const release = service.hold('list')
  const key = must(await app.outbox.create(draft('new.example', { exclude_params: ['ref'] })))
  await settled()
  must(await app.outbox.update(key, { exclude_params: ['utm'] }))
  release()
  await app.online(11_000)
  expect(service.received.at(-1)).toMatchObject({ operation: 'update', sent: { exclude_params: ['utm'] } })
  expect(app.history(key).map(({ kind, settings }) => [kind, settings.exclude_params])).toEqual([
    ['update', ['utm']],
    ['create', undefined],
  ])
})
