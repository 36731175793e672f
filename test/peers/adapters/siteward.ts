import { apiKeyEntry } from '../../../src/main/secrets/entries.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { startApp } from '../../simulation/app/app.ts'
import { disks } from '../../simulation/disk/disk.ts'
import type { VirtualTime } from '../../simulation/machine/clock.ts'
import { SimulatedKeychain } from '../../simulation/machine/keychain.ts'
import { AppRun } from '../../simulation/machine/app-run.ts'
import { Seeded } from '../../simulation/machine/random.ts'
import type { Network } from '../../simulation/service/network.ts'

/** The data that survive a restart of the app. Empty at the first start. */
interface Kept {
  machine?: ReturnType<typeof newMachine>
}

interface PeerWorld {
  disk: Kept
  time: VirtualTime
  network: Network
}

type ScheduledEdit = { id: number; domain: string } & (
  { kind: 'create' } | { kind: 'delete' } | { kind: 'update'; field: 'exclude_ips' | 'exclude_params'; value: string }
)

const CONNECTION = 'connection'

function newMachine() {
  let ids = 0
  const newId = () => `id-${String(++ids)}`
  const keychain = new SimulatedKeychain()
  void keychain.set(apiKeyEntry(CONNECTION), new Secret('key-1'))
  return {
    newId,
    keychain,
    disk: disks.memory(newId),
    random: new Seeded(1),
    lives: 0,
    /** The ids of the schedule's edits by domain, because the app may combine several of them into one edit. */
    edits: new Map<string, number[]>(),
  }
}

/** Siteward, with its real outbox, replica, rate limit and client, over the same network. It has no options to tune. */
export function siteward({ disk: kept, time, network }: PeerWorld) {
  const machine = (kept.machine ??= newMachine())
  const { newId, keychain, disk, random, edits } = machine
  const appRun = new AppRun(time, ++machine.lives)
  const app = startApp(
    { disk, network, keychain, connection: CONNECTION, accountId: '1', paused: false, random, newId },
    appRun,
  )

  return Promise.resolve({
    async enqueue(edit: ScheduledEdit) {
      const draft = { domain: edit.domain, privacy: 1 as const, email: false, exclude_bots: true }
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
    network: (online: boolean) => app.reach.hint(online),
    end: () => appRun.end(),
  })
}
