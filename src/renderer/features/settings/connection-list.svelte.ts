import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { ConnectionEntry } from '../../../shared/connection.ts'
import type { AppError } from '../../../shared/result.ts'
import { coalesced } from '../../lib/coalesced.ts'

/** Every connection on this computer: the one that is shown, and those that lie on disk with their edits. */
export class ConnectionList {
  readonly #bridge: SitewardBridge

  entries: ConnectionEntry[] = $state.raw([])
  error: AppError | null = $state.raw(null)
  busy = $state(false)

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.listConnections()
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.entries = answer.value
  })

  /** The screens follow when main tells that another one is active. */
  async switchTo(id: string): Promise<void> {
    if (this.busy) return
    this.busy = true
    const answer = await this.#bridge.switchConnection({ id })
    this.busy = false
    this.error = answer.ok ? null : answer.error
  }

  async rename(id: string, name: string): Promise<void> {
    const answer = await this.#bridge.renameConnection({ id, name })
    await this.load()
    if (!answer.ok) this.error = answer.error
  }

  reset(): void {
    this.error = null
  }
}
