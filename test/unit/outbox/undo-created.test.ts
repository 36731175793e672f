import { describe, expect, test } from 'vitest'
import type { WebsiteDraft } from '../../../src/shared/website.ts'
import { MINUTE, settled } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, record, service, useApp } from './rig-app.ts'

// The undo of saves of a website that the app creates (docs/sync.md#undo).
useApp(() => service.add('there.example', { email: false, privacy: 1 }))

const DOMAIN = 'new.example'
const key = () => app.keyOf(DOMAIN)
const shown = () => app.list('new')[0]
const create = (more: Partial<WebsiteDraft> = {}) => app.outbox.create(draft(DOMAIN, more)).then(must)
/** Corrects the new website. Values that are not in `more` are the defaults. */
const correct = (more: Partial<WebsiteDraft>, domain = DOMAIN) =>
  app.outbox.correct(key(), draft(domain, more)).then(must)
const created = () => [...service.records.values()].find(({ domain }) => domain === DOMAIN)
const last = () => must(app.outbox.lastSave())

/** Goes online, and holds the create before the service applies it. The returned function lets the create arrive. */
async function sendAndHold(): Promise<() => void> {
  const release = service.hold('create')
  await app.online(0)
  await settled()
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'sending' }])
  return release
}

/** Undoes the last save. `agreed`: the user agrees to the delete of a website. */
const undoLast = (agreed = false) => must(app.outbox.undo(last()?.edit?.id ?? last()?.entry?.id ?? '', agreed))

describe('a website that is not created yet', () => {
  test('is undone save by save, and only at the end as a whole', async () => {
    await app.offline()
    await create()
    await correct({ email: true })
    await correct({ email: true, privacy: 0, exclude_ips: ['10.0.0.1'] })
    expect(undoLast()).toBe('undone')
    expect(shown()).toMatchObject({ email: true, privacy: 1, exclude_ips: [] })
    expect(undoLast()).toBe('undone')
    expect(shown()).toMatchObject({ email: false, privacy: 1 })
    expect(undoLast()).toBe('undone')
    expect(shown()).toBeUndefined()
  })

  test('is undone in the order of its saves, even if another website was saved in between', async () => {
    await app.offline()
    await create()
    await clock.advance(1_000)
    must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
    await clock.advance(1_000)
    await correct({ privacy: 0 })
    expect(last()?.edit).toMatchObject({ domain: DOMAIN })
    undoLast()
    expect(last()?.edit).toMatchObject({ domain: 'there.example' })
  })

  test('gets its former domain back by an undo, which is refused while another website of the list has that domain', async () => {
    await app.offline()
    await create()
    await correct({ email: true }, 'newer.example')
    must(await app.outbox.create(draft(DOMAIN)))
    const edit = app.edits().find(({ domain }) => domain === 'newer.example')?.id ?? ''
    expect(codeOf(app.outbox.undo(edit))).toBe('domain-listed')
    must(app.outbox.undo(app.edits().find(({ domain }) => domain === DOMAIN)?.id ?? ''))
    expect(must(app.outbox.undo(edit))).toBe('undone')
    expect(app.list('new')).toMatchObject([{ domain: DOMAIN, email: false }])
    await app.online(MINUTE)
    expect(created()).toMatchObject({ email: false })
  })

  test('asks for its password again if the undo restores the privacy “Password” and a save has dropped the password', async () => {
    await app.offline()
    await create({ privacy: 2, password: 'first' })
    await correct({ privacy: 1 })
    undoLast()
    expect(shown()).toMatchObject({ privacy: 2 })
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'password' }])
    await app.online(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'password' }])
    expect(created()).toBeUndefined()
  })

  test('keeps its password if the undone save did not change the password', async () => {
    await app.offline()
    await create({ privacy: 2, password: 'first' })
    await correct({ privacy: 2, email: true })
    undoLast()
    await app.online(MINUTE)
    expect(created()).toMatchObject({ privacy: 2, email: false })
  })

  test('can have the change of its domain undone even after an earlier bulk change was undone', async () => {
    await app.offline()
    await create()
    await app.outbox.writeBulk({ updates: [{ key: key(), changes: { email: true } }] })
    await correct({ email: true }, 'newer.example')
    const website = app.keyOf('newer.example')
    await app.outbox.writeBulk({ updates: [{ key: website, changes: { email: false }, undone: { email: true } }] })
    expect(undoLast()).toBe('undone')
    expect(app.list('new')).toMatchObject([{ domain: DOMAIN, email: false }])
    expect(undoLast()).toBe('undone')
    expect(app.list('new')).toEqual([])
  })

  test('can be undone save by save even while its create is parked because the domain is taken', async () => {
    service.add(DOMAIN)
    await create({ email: true })
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
    await correct({ email: true, privacy: 0 })
    expect(undoLast()).toBe('undone')
    expect(app.edits()).toMatchObject([{ kind: 'create', settings: { email: true, privacy: 1 } }])
  })
})

describe('a website whose create included later saves', () => {
  test('is undone save by save, and then asks before the website is deleted', async () => {
    await app.offline()
    await create()
    await correct({ email: true })
    await correct({ email: true, exclude_ips: ['10.0.0.1'] })
    await app.online(MINUTE)
    expect(created()).toMatchObject({ email: true, exclude_ips: ['10.0.0.1'] })
    expect(app.history()).toMatchObject([
      { kind: 'update', became: 'sent', settings: { email: true, exclude_ips: ['10.0.0.1'] }, can: { undo: true } },
      { kind: 'create', became: 'sent', can: { undo: true } },
    ])
    expect(undoLast()).toBe('queued')
    await clock.advance(MINUTE)
    expect(created()).toMatchObject({ email: true, exclude_ips: [] })
    expect(undoLast()).toBe('queued')
    await clock.advance(MINUTE)
    expect(created()).toMatchObject({ email: false, exclude_ips: [] })
    expect(undoLast()).toBe('asks')
    expect(undoLast(true)).toBe('queued')
    await clock.advance(MINUTE)
    expect(created()).toBeUndefined()
  })

  test('is undone save by save even while the create is being sent', async () => {
    await app.offline()
    await create()
    await correct({ email: true })
    const release = await sendAndHold()
    const [{ id } = expect.fail('it is gone')] = app.edits()
    expect(must(app.outbox.undo(id))).toBe('queued')
    expect(shown()).toMatchObject({ email: false })
    release()
    await clock.advance(MINUTE)
    expect(created()).toMatchObject({ email: false })
    // A window may still have the button that undoes the create with this id.
    expect(must(app.outbox.undo(id))).toBe('asks')
  })

  test('keeps two saves that cancel each other out while the create is being sent, so that an undo takes back only the second', async () => {
    service.add(DOMAIN)
    await create()
    const release = service.hold('create')
    await settled()
    must(await app.outbox.update(key(), { email: true }))
    must(await app.outbox.update(key(), { email: false }))
    release()
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken', settings: { email: false } }])
    expect(undoLast()).toBe('undone')
    expect(app.edits()).toMatchObject([{ kind: 'create', settings: { email: true } }])
  })

  test('offers no undo of a new password once it may have been sent, and keeps the password', async () => {
    await app.offline()
    await create({ privacy: 2, password: 'first' })
    await correct({ privacy: 2, password: 'second' })
    const release = await sendAndHold()
    const [{ id } = expect.fail('it is gone')] = app.edits()
    expect(codeOf(app.outbox.undo(id))).toBe('edit-gone')
    release()
    await clock.advance(MINUTE)
    expect(codeOf(app.outbox.undo(id))).toBe('edit-gone')
    expect(last()?.entry).toMatchObject({ kind: 'update', can: { undo: false } })
    expect(service.received.findLast(({ operation }) => operation === 'create')?.sent).toMatchObject({
      password: 'second',
    })
  })

  test('can be undone again after the undo of its create was undone', async () => {
    await create()
    await clock.advance(MINUTE)
    expect(undoLast(true)).toBe('queued')
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
    expect(app.edits()).toEqual([])
    expect(undoLast()).toBe('asks')
    expect(undoLast(true)).toBe('queued')
    await clock.advance(MINUTE)
    expect(created()).toBeUndefined()
  })

  test('can be undone again after the user has kept the website because another client had changed it', async () => {
    await create()
    await clock.advance(MINUTE)
    await app.offline()
    expect(undoLast(true)).toBe('queued')
    service.touch(created() ?? expect.fail('it is gone'), { privacy: 0 })
    await clock.advance(MINUTE)
    await app.online(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'delete', ways: ['delete', 'keep'] }])
    must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'keep' }))
    expect(last()?.entry).toMatchObject({ kind: 'create', can: { undo: true } })
  })

  test('is not deleted by “Undo the last change” if an undo has created it, but its later saves are undone', async () => {
    must(await app.outbox.delete(app.keyOf('there.example')))
    await clock.advance(MINUTE)
    await app.offline()
    expect(undoLast(true)).toBe('queued')
    must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
    await app.online(MINUTE)
    expect(undoLast()).toBe('queued')
    await clock.advance(MINUTE)
    expect(service.domains()).toEqual(['there.example'])
    expect(last()).toBeNull()
  })

  test.each(['sent', 'being sent'])(
    'once the undo of its create (%s) is queued, the last save is the one before the create',
    async (state) => {
      must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
      await clock.advance(MINUTE)
      await app.offline()
      await create()
      await correct({ email: true })
      const release = await sendAndHold()
      if (state === 'sent') {
        release()
        await settled()
      }
      const id = state === 'sent' ? app.history()[0]?.id : app.edits()[0]?.id
      expect(must(app.outbox.undo((id ?? '').replace('-saves', ''), true))).toBe('queued')
      expect(last()?.entry).toMatchObject({ domain: 'there.example' })
      release()
      await clock.advance(MINUTE)
      expect(created()).toBeUndefined()
      expect(last()?.entry).toMatchObject({ domain: 'there.example' })
    },
  )

  test('asks for a password if the undo restores the privacy “Password”', async () => {
    await app.offline()
    await create({ privacy: 2, password: 'first' })
    await correct({ privacy: 1 })
    await app.online(MINUTE)
    expect(undoLast()).toBe('queued')
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'update', state: 'parked', reason: 'password' }])
    expect(created()).toMatchObject({ privacy: 1 })
  })

  test('asks for the password again if the user undoes the save that has entered it', async () => {
    await app.offline()
    await create({ privacy: 2, password: 'first' })
    await correct({ privacy: 1 })
    await app.online(MINUTE)
    expect(undoLast()).toBe('queued')
    await app.offline()
    must(await app.outbox.update(app.keyOf(DOMAIN), { privacy: 2, password: 'new' }))
    expect(undoLast()).toBe('undone')
    expect(app.edits()).toMatchObject([{ kind: 'update', state: 'parked', reason: 'password' }])
    await app.online(MINUTE)
    expect(service.updates()).toEqual([])
  })

  test('can have a save undone again after its undo was undone, even if the website was created in between', async () => {
    await app.offline()
    await create()
    await correct({ email: true })
    const release = await sendAndHold()
    expect(undoLast()).toBe('queued')
    service.unreachable = true
    release()
    await settled()
    expect(app.edits()).toMatchObject([{ kind: 'update', isUndo: true }])
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
    await app.online(MINUTE)
    expect(created()).toMatchObject({ email: true })
    expect(last()?.entry).toMatchObject({ kind: 'update', settings: { email: true }, can: { undo: true } })
    expect(undoLast()).toBe('queued')
    await clock.advance(MINUTE)
    expect(created()).toMatchObject({ email: false })
  })

  test('does not count a change of the domain as the last save once the create is being sent', async () => {
    await app.offline()
    must(await app.outbox.create(draft('newer.example')))
    await clock.advance(1_000)
    must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
    await clock.advance(1_000)
    must(await app.outbox.correct(app.keyOf('newer.example'), draft(DOMAIN)))
    const release = service.hold('create')
    await app.online(0)
    await settled()
    expect(last()?.entry ?? last()?.edit).toMatchObject({ domain: 'there.example' })
    release()
  })

  test('loses only its last save if the create is undone by its id, even if the create was sent in the meantime', async () => {
    await app.offline()
    await create()
    await correct({ email: true })
    const [{ id } = expect.fail('it is gone')] = app.edits()
    await app.online(MINUTE)
    expect(must(app.outbox.undo(id))).toBe('queued')
    await clock.advance(MINUTE)
    expect(created()).toMatchObject({ email: false })
  })

  test('does not offer to undo a change of the domain', async () => {
    await app.offline()
    must(await app.outbox.create(draft('newer.example')))
    must(await app.outbox.correct(app.keyOf('newer.example'), draft(DOMAIN)))
    await app.online(MINUTE)
    expect(app.history()).toMatchObject([{ kind: 'create', became: 'sent' }])
    expect(undoLast()).toBe('asks')
  })

  test('is deleted if its create is undone as a whole in the history', async () => {
    await app.offline()
    await create()
    await correct({ email: true })
    await app.online(MINUTE)
    const entry = app.history().find(({ kind }) => kind === 'create')?.id ?? ''
    must(await app.outbox.revert(entry, 'undo', undefined))
    await clock.advance(MINUTE)
    expect(created()).toBeUndefined()
    expect(record()).toBeDefined()
  })
})

test.each(['has been sent', 'is being sent'])(
  'the create that undoes a delete is not the last save, and undoing that create makes the delete the last save again: the delete %s',
  async (state) => {
    const release = service.holdAnswer('delete')
    must(await app.outbox.delete(app.keyOf('there.example')))
    const id = app.edits()[0]?.id ?? ''
    await clock.advance(11_000)
    if (state === 'has been sent') release()
    await settled()
    await app.offline()
    expect(must(app.outbox.undo(id, true))).toBe('queued')
    expect(last()).toBeNull()
    release()
    await settled()
    expect(last()).toBeNull()
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
    expect(app.list()).toEqual([])
    expect(last()?.entry).toMatchObject({ kind: 'delete', can: { undo: true } })
    expect(undoLast(true)).toBe('queued')
    await app.online(MINUTE)
    expect(service.domains()).toEqual(['there.example'])
    expect(last()).toBeNull()
  },
)
