import { expect, test } from 'vitest'
import { draft, must, startConnection } from './rig.ts'
import { fakeClock, settled } from './clock.ts'
import { SimulatedService } from './simulated-service.ts'

test('who asks for a write is answered before anybody is told of it and anything of it is sent', async () => {
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

test('what is written in one burst is told once, with all that it is about', async () => {
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

test('what was written in the last moment is on disk, although nobody is told of it any more', async () => {
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
