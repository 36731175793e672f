import { wireConnection } from '../../src/main/compose-connection.ts'
import { createPause } from '../../src/main/connectivity/pause.ts'
import { createSealer } from '../../src/main/secrets/sealer.ts'
import { createConnectionKey } from '../../src/main/connection/key.ts'
import { createServiceOver } from '../../src/main/service/client.ts'
import type { EditView } from '../../src/shared/edit.ts'
import { CONNECTION, type App } from './app.ts'
import { disks } from './disk/disk.ts'
import type { ModelKeychain } from './keychain.ts'
import { Life } from './life.ts'
import type { VirtualTime } from './clock.ts'

/**
 * Export, then import into an empty outbox of the same connection: the same edits, but for secrets (sync.md, "Proof").
 * Answers in what they differ; nothing of the second outbox is sent.
 */
export async function transfer({
  app,
  time,
  keychain,
}: {
  app: App
  time: VirtualTime
  keychain: ModelKeychain
}): Promise<string[]> {
  const exported = await app.outbox.exportQueue()
  if (!exported.ok) return app.life.alive ? [`the export failed: ${exported.error.code}`] : []
  const life = new Life(time, 0)
  let ids = 0
  const store = disks.memory(() => `other-${String(++ids)}`).open()
  const other = wireConnection(store, {
    record: app.record,
    key: createConnectionKey(keychain, CONNECTION, () => undefined),
    service: createServiceOver(
      () => new Promise(() => undefined),
      () => null,
    ),
    sealer: createSealer(keychain, CONNECTION),
    pause: createPause(false),
    clock: life,
    random: { id: () => `other-${String(++ids)}`, fraction: () => 0.5 },
  })
  const imported = await other.outbox.importQueue(exported.value.text)
  if (!imported.ok) return [`the import failed: ${imported.error.code}`]
  const listed = other.outbox.list({ page: 1, per_page: 100 })
  const there = listed.ok ? listed.value.edits : []
  const before = app.edits()
  life.end()
  const lost = before.filter(({ id }) => !there.some((edit) => edit.id === id))
  const changed = there.filter((edit) => {
    const was = before.find(({ id }) => id === edit.id)
    return was !== undefined && told(was) !== told(edit)
  })
  return [
    ...imported.value.refused.map(({ domain, error }) => `${domain} was refused: ${error.code}`),
    ...lost.map(({ domain, kind }) => `${domain}: the ${kind} is missing`),
    ...changed.map(({ domain, kind }) => `${domain}: the ${kind} is another`),
  ]
}

/** Whatever the person may see of it but for what waits, and for how long. */
const told = ({ domain, kind, settings, fields, password, request }: EditView): string =>
  JSON.stringify({ domain, kind, settings, fields, password, form: request.form })
