import { expect, test } from 'vitest'
import { draft, must, startConnection } from './rig.ts'
import { fakeClock, settled } from './clock.ts'
import { SimulatedService } from './simulated-service.ts'

test('answers a create before it notifies the listeners or sends a request', async () => {
  const service = new SimulatedService()
  const app = startConnection({ service, clock: fakeClock() })
  await settled()
  const notified: (string[] | null)[] = []
  app.outbox.onChange(({ websites }) => notified.push(websites))
  const key = must(await app.outbox.create(draft('example.com')))
  expect([notified, service.received]).toEqual([[], []])
  expect(app.outbox.counts()).toMatchObject({ waiting: 1, parked: 0 })
  await settled()
  expect(notified[0]).toEqual([key])
  expect(service.received).toContainEqual(expect.objectContaining({ operation: 'create' }))
  await app.close()
})

test('notifies the listeners once about several edits in a row, with the keys of all edited websites', async () => {
  const service = new SimulatedService()
  const app = startConnection({ service, clock: fakeClock() })
  await app.offline()
  const notified: (string[] | null)[] = []
  app.outbox.onChange(({ websites }) => notified.push(websites))
  const keys: string[] = []
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    keys.push(must(await app.outbox.create(draft(domain))))
  }
  must(await app.outbox.update(keys[0] ?? '', { email: true }))
  await settled()
  expect(notified).toEqual([keys])
  await app.close()
})

test('keeps an edit in the queue even if the outbox is stopped before it notifies the listeners', async () => {
  const app = startConnection({ service: new SimulatedService(), clock: fakeClock() })
  await app.offline()
  let notified = 0
  app.outbox.onChange(() => (notified += 1))
  must(await app.outbox.create(draft('example.com')))
  await app.outbox.stop()
  await settled()
  expect(notified).toBe(0)
  expect(app.edits()).toHaveLength(1)
  await app.close()
})
