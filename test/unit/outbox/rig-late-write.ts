import { expect } from 'vitest'
import type { WebsiteDraft } from '../../../src/shared/website.ts'
import { MINUTE, settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, record, service, existingKey } from './rig-app.ts'

/** Loses a request that turns `email` on, repeats it, and turns `email` off. The lost request may still take effect. */
export async function setAndSetBack(): Promise<void> {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(existingKey(), { email: false }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(record()).toMatchObject({ email: false })
}

/** Loses a create, and undoes it. Waits until the app has not found the website, and has dropped the create. */
export async function giveUpCreate(domain: string, more: Partial<WebsiteDraft> = {}): Promise<void> {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft(domain, more)))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? '', true))
  await clock.advance(15_000)
  expect(app.edits()).toEqual([])
}
