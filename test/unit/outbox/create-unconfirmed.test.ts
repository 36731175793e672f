import { beforeEach, describe, expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, endInCreate, service, start, useApp } from './rig-app.ts'

useApp(undefined, { onDisk: true })

describe('a create that needs the user’s answer, because no complete list was read before the create was sent,', () => {
  let key = ''
  beforeEach(async () => {
    await app.close()
    start('never-read.db')
    service.fail('create', { lost: 'answer' })
    key = must(await app.outbox.create(draft('a.example')))
    await clock.advance(2_000)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
  })

  test('still needs that answer after the user edits the website, and the answer then sends the edit too', async () => {
    must(await app.outbox.update(key, { email: true }))
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt', settings: { email: true } }])
    expect(service.writes()).toEqual(['create'])
    must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'adopt' }))
    await clock.advance(MINUTE)
    expect([...service.records.values()]).toMatchObject([{ domain: 'a.example', email: true }])
    expect(app.list()).toMatchObject([{ key, id: '1', state: 'synced' }])
  })

  test('still needs that answer after the user corrects the website', async () => {
    must(await app.outbox.correct(key, draft('a.example', { email: true })))
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt', settings: { email: true } }])
    expect(service.writes()).toEqual(['create'])
  })

  test('leads to a delete on the service if the user deletes the new website and then chooses to delete the existing one', async () => {
    must(await app.outbox.delete(key))
    await clock.advance(MINUTE)
    const request = { method: 'DELETE', path: expect.stringMatching(/\/1$/) }
    expect(app.edits()).toMatchObject([
      { kind: 'create', state: 'parked', reason: 'adopt', ways: ['delete'], request },
      { kind: 'delete' },
    ])
    must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'delete' }))
    await clock.advance(MINUTE)
    expect(service.domains()).toEqual([])
    expect(app.list()).toEqual([])
  })

  test('is asked about again, and deletes nothing, if the user deletes the new website after choosing to use the existing one', async () => {
    const release = service.hold('get')
    const answering = app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'adopt' })
    await settled()
    must(await app.outbox.delete(key))
    release()
    expect(codeOf(await answering)).toBe('edit-gone')
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', ways: ['delete'] }, { kind: 'delete' }])
    expect(service.writes()).toEqual(['create'])
  })

  test('is asked about again, and changes nothing, if the user undoes the delete after choosing to delete the existing website', async () => {
    must(await app.outbox.delete(key))
    const release = service.hold('get')
    const answering = app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'delete' })
    await settled()
    must(app.outbox.undo(app.edits()[1]?.id ?? ''))
    release()
    expect(codeOf(await answering)).toBe('edit-gone')
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', ways: ['adopt'] }])
    expect(service.writes()).toEqual(['create'])
  })

  test('leaves the existing website alone if the user discards the create', async () => {
    must(app.outbox.discard(app.edits()[0]?.id ?? ''))
    await clock.advance(MINUTE)
    expect(app.edits()).toEqual([])
    expect(service.domains()).toEqual(['a.example'])
    expect(service.writes()).toEqual(['create'])
  })

  test('leaves the existing website alone if the user deletes the new website and then discards the create', async () => {
    must(await app.outbox.delete(key))
    must(app.outbox.discard(app.edits()[0]?.id ?? ''))
    await clock.advance(MINUTE)
    expect(app.edits()).toEqual([])
    expect(service.domains()).toEqual(['a.example'])
  })

  test('is looked up before it is sent again, even if the user changes it in between', async () => {
    service.unreachable = true
    must(app.outbox.sendNow(app.edits()[0]?.id))
    await settled()
    must(await app.outbox.update(key, { email: true }))
    must(await app.outbox.delete(key))
    must(app.outbox.undo(app.edits().at(-1)?.id ?? ''))
    service.unreachable = false
    app.outbox.sendNow()
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', settings: { email: true } }])
    expect(service.writes()).toEqual(['create'])
  })

  test('is exported and imported with the delete behind it', async () => {
    must(await app.outbox.delete(key))
    const { text } = must(await app.outbox.exportQueue())
    await app.close()
    start('another.db')
    expect(must(await app.outbox.importQueue(text))).toMatchObject({ added: 2, refused: [] })
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'adopt' }, { kind: 'delete' }])
  })
})

test('a create that is unconfirmed after a crash still needs the user’s answer after “Send now”', async () => {
  await app.close()
  start('never-read.db')
  await endInCreate('a.example')
  start('never-read.db')
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
})

test('a website that the user deletes while its create is unconfirmed stays in the list until the user answers', async () => {
  const answer = service.hold('list')
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example', { email: true })))
  await settled()
  // Another client has changed the website, so the app can't know whether its own request created it.
  const created = [...service.records.values()].at(-1)
  Object.assign(created ?? {}, { email: false })
  must(await app.outbox.delete(key))
  answer()
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'domain-taken' }, { kind: 'delete' }])
  expect(app.view.get(key)).not.toBeNull()
  expect(service.writes()).toEqual(['create'])
  // A correction would be useless, because the website will be deleted.
  expect(codeOf(await app.outbox.correct(key, draft('b.example')))).toBe('website-gone')
})

test('once a delete is undone, the question about its create includes the change that the delete had superseded', async () => {
  const answer = service.hold('list')
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  Object.assign(service.records.get('1') ?? {}, { exclude_bots: false })
  must(await app.outbox.update(key, { email: true }))
  must(await app.outbox.delete(key))
  answer()
  await clock.advance(60_000)
  must(app.outbox.undo(app.edits().find(({ kind }) => kind === 'delete')?.id ?? ''))
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', settings: { email: true } }])
  const { text } = must(await app.outbox.exportQueue())
  // The correction came after the change of the email setting, so it replaces that change.
  must(await app.outbox.correct(key, draft('a.example')))
  expect(app.list()).toMatchObject([{ key, email: false }])
  // Imports the create as it was before the correction.
  await app.close()
  start('another.db')
  expect(must(await app.outbox.importQueue(text))).toMatchObject({ added: 1, refused: [] })
})
