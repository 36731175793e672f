import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Keychain } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { fail, type Result } from '../../../src/shared/result.ts'
import { settled } from './clock.ts'
import { codeOf, draft, must, startConnection, waitingCreate } from './rig.ts'
import { app, clock, sealer, service, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { exclude_ips: ['10.0.0.1'] }))
beforeEach(() => app.offline())

test('edits of a website that was never sent become one create', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  must(await app.outbox.update(key, { email: true }))
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  expect(app.edits()).toMatchObject([{ kind: 'create', settings: { email: true, privacy: 2 }, password: true }])
})

test('removes a website that was never sent when it is deleted', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  must(await app.outbox.delete(key))
  expect(app.edits()).toEqual([])
  expect(app.view.get(key)).toBeNull()
})

test('merges two updates into one that sends only what differs from what the user saw', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true, exclude_bots: true }))
  must(await app.outbox.update(key, { exclude_ips: [' 10.0.0.2 ', ''] }))
  expect(app.edits()).toMatchObject([
    {
      request: {
        method: 'PUT',
        path: '/api/v1/websites/1',
        form: [
          ['email', '1'],
          ['exclude_ips', '10.0.0.2'],
        ],
      },
    },
  ])
})

test('sends nothing for a change that is set back', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true, privacy: 2, password: 'secret' }))
  must(await app.outbox.update(key, { email: false, privacy: 1 }))
  expect(app.edits()).toEqual([])
  expect(app.view.get(key)).toMatchObject({ state: 'synced', privacy: 1, password: false })
})

test('a write-only field is sent only if the user has changed it, even to an empty list', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true }))
  expect(app.edits()[0]?.fields).toEqual(['email'])
  must(await app.outbox.update(key, { exclude_params: [] }))
  expect(app.edits()[0]?.request.form).toEqual([
    ['email', '1'],
    ['exclude_params', ''],
  ])
})

test('the undo of a create that was not sent removes the website, and nothing is sent', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.view.get(key)).toBeNull()
  expect(codeOf(app.outbox.undo('nothing'))).toBe('edit-gone')
  await app.online(0)
  expect(service.writes()).toEqual([])
})

test('undoes the delete of a website although the service lists another one with the same domain', async () => {
  service.add('there.example')
  await app.online()
  must(await app.refresh.run())
  await app.offline()
  const [key = ''] = app.list().map((website) => website.key)
  must(await app.outbox.delete(key))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toEqual([])
  await app.online(30_000)
  expect(service.domains()).toEqual(['there.example', 'there.example'])
})

test('does not undo a delete while a new website with the same domain is pending', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.delete(key))
  const anew = must(await app.outbox.create(draft('there.example')))
  const [removal, create] = app.edits()
  expect(codeOf(app.outbox.undo(removal?.id ?? ''))).toBe('domain-listed')
  expect(app.edits().map(({ website, kind }) => [website, kind])).toEqual([
    [key, 'delete'],
    [anew, 'create'],
  ])
  // The delete can be undone once the create no longer has its domain.
  must(app.outbox.undo(create?.id ?? ''))
  must(app.outbox.undo(removal?.id ?? ''))
  expect(app.list('there')).toMatchObject([{ key, state: 'synced' }])
})

test('an edit that is being sent cannot be discarded, but an undo queues the reverse change behind that edit', async () => {
  await app.online(0)
  const release = service.hold('update')
  must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
  await settled()
  const [edit] = app.edits()
  expect(edit).toMatchObject({ state: 'sending', can: { undo: true, discard: false } })
  expect(codeOf(app.outbox.discard(edit?.id ?? ''))).toBe('edit-gone')
  must(app.outbox.undo(edit?.id ?? ''))
  expect(app.edits()).toMatchObject([
    { id: edit?.id, state: 'sending', can: { undo: false } },
    { kind: 'update', state: 'held', reason: 'depends', settings: { email: false } },
  ])
  expect(codeOf(app.outbox.undo(edit?.id ?? ''))).toBe('edit-gone')
  release()
})

test('rejects invalid input at its field and queues nothing', async () => {
  const fieldsOf = async (sent: ReturnType<typeof draft>) => {
    const result = await app.outbox.create(sent)
    return result.ok ? [] : Object.keys(result.error.fields ?? {})
  }
  expect(await fieldsOf(draft(' '))).toEqual(['domain'])
  expect(await fieldsOf(draft('not a domain'))).toEqual(['domain'])
  expect(await fieldsOf(draft('WWW.There.example/'))).toEqual(['domain'])
  expect(await fieldsOf(draft('a.example', { privacy: 2 }))).toEqual(['password'])
  expect(await fieldsOf(draft('a.example', { privacy: 1, password: 'x' }))).toEqual(['password'])
  expect(codeOf(await app.outbox.update(app.keyOf('there.example'), { password: 'x' }))).toBe('invalid-input')
  expect(codeOf(await app.outbox.update('nobody', { email: true }))).toBe('website-gone')
  expect(app.edits()).toEqual([])
  const key = app.keyOf('there.example')
  must(await app.outbox.delete(key))
  expect(codeOf(await app.outbox.update(key, { email: true }))).toBe('website-gone')
})

test('shows no typed password in the list of edits or of websites', async () => {
  const key = must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'canary-password' })))
  expect(app.edits()[0]?.request.form).toContainEqual(['password', '••••••••'])
  expect(JSON.stringify([app.edits(), app.list(), app.view.get(key)])).not.toContain('canary-password')
  expect(app.view.get(key)).toMatchObject({ password: true })
})

test('sends a delete before its ten seconds for Undo are over if the user chooses “Send now”', async () => {
  await app.online(0)
  must(await app.outbox.delete(app.keyOf('there.example')))
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await settled()
  expect(service.records.size).toBe(0)
})

test('sends a parked delete again when the user deletes again, after another ten seconds for Undo', async () => {
  const key = app.keyOf('there.example')
  service.fail('delete', { refuse: 'forbidden' })
  must(await app.outbox.delete(key))
  await app.online(15_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused' }])
  must(await app.outbox.delete(key))
  await clock.advance(9_000)
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'undo', can: { undo: true } }])
  await clock.advance(2_000)
  expect(app.edits()).toEqual([])
  expect(service.domains()).toEqual([])
})

test('a delete that was parked because the website had changed stays parked when the user deletes again', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.delete(key))
  Object.assign(service.records.get('1') ?? {}, { email: true })
  await clock.advance(120_000)
  await app.online(15_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  must(await app.outbox.delete(key))
  await clock.advance(120_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', ways: ['delete', 'keep'] }])
  expect(service.domains()).toEqual(['there.example'])
})

test('returns the third page of a thousand edits, with the counts of all edits', async () => {
  must(
    app.store.write(() => {
      for (let n = 0; n < 1_000; n++) {
        app.store.addWebsite(`k${String(n)}`, `n${String(n)}.example`)
        app.store.addEdit(waitingCreate(n))
      }
      return { ok: true, value: undefined }
    }),
  )
  const page = must(app.outbox.list({ page: 3, per_page: 50 }))
  expect(page).toMatchObject({ total: 1_000, parked: 0 })
  expect(page.edits.map(({ domain }) => domain).slice(0, 2)).toEqual(['n100.example', 'n101.example'])
})

test('corrects a website that is not created yet, its domain included', async () => {
  const key = must(await app.outbox.create(draft('tpyo.example', { privacy: 2, password: 'secret' })))
  must(
    await app.outbox.correct(key, draft('https://typo.example/', { privacy: 2, email: true, exclude_ips: [' ::1 '] })),
  )
  expect(app.list('typo')).toMatchObject([{ key, domain: 'typo.example', email: true, exclude_ips: ['::1'] }])
  expect(app.list('tpyo')).toEqual([])
  expect(app.edits()).toMatchObject([{ kind: 'create', domain: 'typo.example', password: true }])
  await app.online(0)
  expect(service.received.at(-1)?.sent).toMatchObject({ domain: 'typo.example', password: 'secret', email: true })
})

test('leaves a website as it is if its password can’t be sealed for the corrected domain', async () => {
  const key = must(await app.outbox.create(draft('tpyo.example', { privacy: 2, password: 'secret' })))
  sealer.failure = 'keychain-locked'
  expect(codeOf(await app.outbox.correct(key, draft('typo.example', { privacy: 2 })))).toBe('keychain-locked')
  sealer.failure = null
  await app.online(0)
  expect(service.received.at(-1)?.sent).toMatchObject({ domain: 'tpyo.example', password: 'secret' })
})

test('a correction to another privacy drops the password, and one back to the privacy "Password" is rejected without a new password', async () => {
  const key = must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'secret' })))
  must(await app.outbox.correct(key, draft('a.example')))
  expect(app.edits()).toMatchObject([{ password: false }])
  const without = await app.outbox.correct(key, draft('a.example', { privacy: 2 }))
  expect(without).toMatchObject({
    error: { code: 'invalid-input', fields: { password: expect.any(Array) as unknown } },
  })
  must(await app.outbox.correct(key, draft('a.example', { privacy: 2, password: 'another' })))
  expect(app.edits()).toMatchObject([{ password: true }])
})

test('rejects a correction with an invalid domain, a correction of an existing website, and a new domain while the create is being sent', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  for (const domain of ['', 'no domain', 'there.example']) {
    expect(await app.outbox.correct(key, draft(domain))).toMatchObject({
      error: { code: 'invalid-input', fields: { domain: expect.any(Array) as unknown } },
    })
  }
  must(await app.outbox.correct(key, draft('a.example', { email: true })))
  expect(codeOf(await app.outbox.correct('nobody', draft('b.example')))).toBe('website-gone')
  expect(codeOf(await app.outbox.correct(app.keyOf('there.example'), draft('b.example')))).toBe('invalid-input')
  const release = service.hold('create')
  await app.online(0)
  expect(await app.outbox.correct(key, draft('b.example'))).toMatchObject({
    error: { code: 'invalid-input', fields: { domain: expect.any(Array) as unknown } },
  })
  release()
  await settled()
  expect(service.domains()).toEqual(['there.example', 'a.example'])
})

test('queues a correction behind a create that is being sent', async () => {
  const shown = draft('a.example', { exclude_ips: ['::1'] })
  const key = must(await app.outbox.create(shown))
  const release = service.hold('create')
  await app.online(0)
  const typed = draft('a.example', { privacy: 2, password: 'secret', email: true, exclude_ips: ['::1', '::2'] })
  must(await app.outbox.correct(key, typed, shown))
  expect(app.edits()).toMatchObject([
    { kind: 'create', state: 'sending' },
    { kind: 'update', settings: { privacy: 2, email: true, exclude_ips: ['::1', '::2'] }, password: true },
  ])
  release()
  await app.online()
  expect(app.edits()).toEqual([])
  expect(service.records.get('2')).toMatchObject({ privacy: 2, email: true, exclude_ips: ['::1', '::2'] })
})

test('rejects a corrected domain while the create is being sent, and accepts that domain once the service has refused the create', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  const release = service.hold('create')
  service.fail('create', { refuse: 'invalid', fields: { domain: ['The domain has already been taken.'] } })
  await app.online(0)
  const typed = draft('b.example')
  const fieldsOf = (result: Result<unknown>) => (result.ok ? null : result.error.fields)
  expect(fieldsOf(await app.outbox.correct(key, typed))).toEqual({
    domain: [expect.stringMatching(/^a\.example is being sent to the service\./)],
  })
  release()
  await settled()
  must(await app.outbox.correct(key, typed))
  await settled()
  expect(service.domains()).toEqual(['there.example', 'b.example'])
  expect(fieldsOf(await app.outbox.correct(key, draft('c.example')))).toEqual({
    domain: [expect.stringMatching(/^This website was just added as b\.example/)],
  })
})

test('sends only the fields that the user has changed in the form if a correction is saved after the create was confirmed', async () => {
  const shown = draft('a.example')
  const key = must(await app.outbox.create(shown))
  await app.online(15_000)
  service.touch(service.records.get('2') ?? expect.fail('it is gone'), { exclude_bots: false })
  must(await app.refresh.run())
  must(await app.outbox.correct(key, draft('a.example', { email: true }), shown))
  await app.online()
  expect(service.records.get('2')).toMatchObject({ email: true, exclude_bots: false })
})

test('sends a create again after its taken domain is corrected', async () => {
  service.unreachable = false
  service.fail('create', { refuse: 'invalid', fields: { domain: ['The domain has already been taken.'] } })
  app.reach.retryNow()
  const key = must(await app.outbox.create(draft('taken.example')))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
  must(await app.outbox.correct(key, draft('free.example')))
  await settled()
  expect(service.domains()).toContain('free.example')
  expect(app.edits()).toEqual([])
})

test('keeps a write-only field in the edit when the user saves the same value again, or undoes a delete', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { exclude_params: ['p'], email: true }))
  must(await app.outbox.update(key, { exclude_params: ['p'], email: false, exclude_bots: false }))
  expect(app.edits()).toMatchObject([{ settings: { exclude_params: ['p'], exclude_bots: false } }])
  must(await app.outbox.delete(key))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toMatchObject([{ settings: { exclude_params: ['p'], exclude_bots: false } }])
})

test('asks for two passwords again if they were swapped in the database', async () => {
  const noKeychain = { find: async () => fail('keychain-missing'), isRecorded: () => false } as unknown as Keychain
  const app = startConnection({ service, clock, sealer: createSealer(noKeychain, 'c1') })
  onTestFinished(() => app.close())
  await app.offline()
  must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'of a' })))
  must(await app.outbox.create(draft('b.example', { privacy: 2, password: 'of b' })))
  must(
    app.store.write(() => {
      const [a, b] = [...app.store.firstEdits(0)].map(({ id }) => app.store.edit(id))
      if (!a || !b) throw new Error('an edit is missing')
      app.store.saveEdit({ ...a, sealed: b.sealed })
      app.store.saveEdit({ ...b, sealed: a.sealed })
      return { ok: true, value: undefined }
    }),
  )
  await app.online(0)
  expect(service.received.filter(({ operation }) => operation === 'create')).toEqual([])
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'password' },
    { state: 'parked', reason: 'password' },
  ])
})

test.each([
  ['another password', { privacy: 2 as const, password: 'second' }],
  ['another privacy', { privacy: 1 as const }],
])('asks for the password again when the save of %s is undone', async (_, save) => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { privacy: 2, password: 'first' }))
  must(await app.outbox.update(key, { ...save, email: true }))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  await app.online()
  await settled()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'password', settings: { privacy: 2 } }])
})
