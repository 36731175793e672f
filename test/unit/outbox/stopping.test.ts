import { expect, test } from 'vitest'
import { settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, sealer, service, useApp } from './rig-app.ts'

useApp(undefined, { listed: false })

/** Starts an update that waits for the keychain. Meanwhile, another request gets a 429, so no edit may be sent for now. */
async function overtakenByTooMany(): Promise<{ key: string; release: () => void }> {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  const release = sealer.hold()
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  await settled()
  service.fail('list', { refuse: 'rate-limited', retryAfter: 3 })
  void app.refresh.run()
  await settled()
  return { key, release }
}

test('does not count an edit as sent that has to wait for the rate limit', async () => {
  const { key, release } = await overtakenByTooMany()
  release()
  await settled()
  expect(app.store.editsOf(key)).toMatchObject([{ standing: { state: 'queued' }, attempts: 0 }])
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'rate', can: { undo: true } }])
  await clock.advance(3_000)
  release()
  await settled()
  expect(service.writes()).toEqual(['create', 'update'])
})

test('sends nothing of a closed connection, not even an edit that waited for the keychain and the rate limit', async () => {
  const { release } = await overtakenByTooMany()
  release()
  await settled()
  const before = service.received.length
  app.budget.close()
  app.refresh.stop()
  await app.outbox.stop()
  release()
  await clock.advance(60 * 60_000)
  expect(service.received).toHaveLength(before)
})

test('sends nothing once the outbox is told to stop, not even the request for the next page of a lookup', async () => {
  let release = () => {}
  service.fail('create', { lost: 'answer' })
  const { list } = service
  service.list = async (query) => {
    const answer = await list(query)
    await new Promise<void>((resolve) => (release = resolve))
    const other = { id: '99', domain: 'b.example', extra: {} }
    return answer.outcome === 'applied' ? { ...answer, value: { websites: [other], next: 'page=2' } } : answer
  }
  must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(service.received.map(({ operation }) => operation)).toEqual(['create', 'list'])
  const stopped = app.outbox.stop()
  release()
  await stopped
  await clock.advance(60_000)
  expect(service.received.map(({ operation }) => operation)).toEqual(['create', 'list'])
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
})

test('sends an edit at once with the new key if its old key was rejected', async () => {
  const release = service.hold('create')
  must(await app.outbox.create(draft('a.example')))
  await settled()
  app.reach.keyChanged()
  service.fail('create', { refuse: 'unauthenticated' })
  release()
  await settled()
  expect(service.domains()).toEqual(['a.example'])
  expect(app.edits()).toEqual([])
})

test('does not try a rejected key again and again', async () => {
  const release = service.hold('create')
  must(await app.outbox.create(draft('a.example')))
  await settled()
  service.keyRefused = true
  app.reach.keyChanged()
  release()
  await clock.advance(60 * 60_000)
  expect(service.writes().length).toBeLessThanOrEqual(2)
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'key' }])
})

test.each(['unreachable', 'certificate', 'key-missing', 'keychain-locked', 'no-connection'] as const)(
  'does not count a request that has never left this computer as sent (%s)',
  async (code) => {
    service.fail('create', { refuse: code })
    const key = must(await app.outbox.create(draft('a.example')))
    await settled()
    expect(app.store.editsOf(key)).toMatchObject([{ standing: { state: 'queued' }, attempts: 0, sent: null }])
  },
)

test('counts a rejected request as sent', async () => {
  service.fail('create', { refuse: 'rate-limited', retryAfter: 60 })
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.store.editsOf(key)).toMatchObject([{ standing: { state: 'queued' }, attempts: 1 }])
})
