import { beforeEach, expect, test } from 'vitest'
import type { WebsiteChanges } from '../../../src/shared/website.ts'
import { fakeClock, settled } from './clock.ts'
import { draft, must, startConnection } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

let service: SimulatedService
let app: ReturnType<typeof startConnection>
beforeEach(() => {
  service = new SimulatedService()
  app = startConnection({ service, clock: fakeClock() })
})

/** Changes a website, and returns it with the pending change. */
async function change(key: string, changes: WebsiteChanges) {
  must(await app.outbox.update(key, changes))
  return must(app.view.website(key))
}

async function offlineWith(domain: string): Promise<string> {
  service.add(domain)
  must(await app.refresh.run())
  await app.offline()
  return app.keyOf(domain)
}

test('after each save, shows the website with all its pending fields, without a field that was set back to its old value', async () => {
  const key = await offlineWith('a.example')
  expect(await change(key, { email: true, exclude_ips: [' 192.0.2.1 ', ''] })).toMatchObject({
    pending: ['email', 'exclude_ips'],
  })
  expect(await change(key, { privacy: 2, password: 'secret' })).toMatchObject({ password: true })
  expect(await change(key, { email: false })).toMatchObject({ email: false })
  expect(await change(key, { privacy: 1, exclude_ips: [] })).toMatchObject({ state: 'synced', pending: [] })
})

test('shows the saved change of a website that is not created yet', async () => {
  await app.offline()
  const key = must(await app.outbox.create(draft('new.example')))
  expect(await change(key, { email: true })).toMatchObject({ id: null, email: true })
})

test('shows both changes of a website if the second is saved while the first is being sent', async () => {
  const key = await offlineWith('a.example')
  await app.online()
  const release = service.hold('update')
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(await change(key, { exclude_bots: false })).toMatchObject({ email: true, exclude_bots: false })
  release()
})
