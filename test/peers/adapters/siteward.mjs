import { listQuerySchema } from '../../../src/shared/website.ts'
import { startApp } from '../../simulation/app/app.ts'
import { disks } from '../../simulation/disk/disk.ts'
import { SimulatedKeychain } from '../../simulation/machine/keychain.ts'
import { AppRun } from '../../simulation/machine/app-run.ts'
import { Seeded } from '../../simulation/machine/random.ts'

/** Siteward: the real outbox, replica, budget and client, over the same network. It has no options to tune. */
export async function siteward(world) {
  const { disk, time, network } = world
  disk.ids ??= 0
  const newId = () => `id-${String(++disk.ids)}`
  disk.file ??= disks.memory(newId)
  disk.random ??= new Seeded(1)
  disk.lives = (disk.lives ?? 0) + 1
  if (disk.keychain === undefined) {
    disk.keychain = new SimulatedKeychain()
    void disk.keychain.set('connection:api-key', { reveal: () => 'key-1' })
  }
  const appRun = new AppRun(time, disk.lives)
  const app = startApp(
    { disk: disk.file, network, keychain: disk.keychain, accountId: '1', random: disk.random, newId },
    appRun,
  )
  disk.edits ??= new Map()
  /** The ids of the schedule's edits, by domain, as the app may combine several into one edit. @type {Map<string, number[]>} */
  const { edits } = disk

  return {
    async enqueue(edit) {
      const draft = { domain: edit.domain, privacy: 1, email: false, exclude_bots: true }
      const query = { ...listQuerySchema.parse({ search: edit.domain, per_page: 100 }), page: 1 }
      const found = app.view.list(query)
      const website = found.ok ? found.value.websites.find(({ domain }) => domain === edit.domain) : undefined
      const answer = await (edit.kind === 'create'
        ? app.outbox.create({ ...draft, exclude_ips: [], exclude_params: [] })
        : edit.kind === 'delete'
          ? app.outbox.delete(website?.key ?? '')
          : app.outbox.update(website?.key ?? '', { [edit.field]: [edit.value] }))
      if (!answer.ok) throw new Error(`${edit.kind}: ${answer.error.code}`)
      edits.set(edit.domain, [...(edits.get(edit.domain) ?? []), edit.id])
    },
    held: () => Promise.resolve(app.edits().flatMap(({ domain }) => edits.get(domain) ?? [])),
    network: (online) => app.reach.hint(online),
    end: () => appRun.end(),
  }
}
