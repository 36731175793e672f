import { expect, test } from 'vitest'
import { draft, must, startConnection } from './rig.ts'
import { fakeClock, settled } from './clock.ts'
import { SimulatedService } from './simulated-service.ts'

test('answers the caller before it notifies anyone or sends anything', async () => {
  const service = new SimulatedService()
  const app = startConnection({ service, clock: fakeClock() })
  await settled()
  const told: (string[] | null)[] = []
  app.outbox.onChange(({ websites }) => told.push(websites))
  const key = must(await app.outbox.create(draft('example.com')))
  expect([told, service.asked]).toEqual([[], []])
  expect(app.outbox.counts()).toMatchObject({ waiting: 1, parked: 0 })
  await settled()
  expect(told[0]).toEqual([key])
  expect(service.asked).toContainEqual(expect.objectContaining({ operation: 'create' }))
  await app.close()
})

test('notifies once for a burst of writes, with all websites in it', async () => {
  const service = new SimulatedService()
  const app = startConnection({ service, clock: fakeClock() })
  await app.offline()
  const told: (string[] | null)[] = []
  app.outbox.onChange(({ websites }) => told.push(websites))
  const keys: string[] = []
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    keys.push(must(await app.outbox.create(draft(domain))))
  }
  must(await app.outbox.update(keys[0] ?? '', { email: true }))
  await settled()
  expect(told).toEqual([keys])
  await app.close()
})

test('keeps the last write on disk although the app stops before it notifies anyone', async () => {
  const app = startConnection({ service: new SimulatedService(), clock: fakeClock() })
  await app.offline()
  let told = 0
  app.outbox.onChange(() => (told += 1))
  must(await app.outbox.create(draft('example.com')))
  await app.outbox.stop()
  await settled()
  expect(told).toBe(0)
  expect(app.edits()).toHaveLength(1)
  await app.close()
})
