import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { ConnectionEntry } from '../../../shared/connection.ts'
import type { AppError } from '../../../shared/result.ts'
import { coalesced } from '../../lib/coalesced.ts'

export class ConnectionList {
  readonly #bridge: SitewardBridge

  entries: ConnectionEntry[] = $state.raw([])
  error: AppError | null = $state.raw(null)
  /** Number of switches so far. Only the response to the latest one counts. */
  #switches = 0
  /** The id of the connection that is being switched to; null if no switch is in progress. */
  #opening: string | null = null

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.listConnections()
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.entries = answer.value
  })

  /**
   * Switches to a connection, which is shown when main reports it as active. Returns the error; null on success, or if a later
   * switch has replaced this one.
   */
  async switchTo(id: string): Promise<AppError | null> {
    const mine = ++this.#switches
    this.#opening = id
    const answer = await this.#bridge.switchConnection({ id })
    if (mine !== this.#switches) return null
    // After success, the switch stays in progress until main sends the new state, which resets this list.
    if (!answer.ok) this.#opening = null
    this.error = answer.ok ? null : answer.error
    return this.error
  }

  get isSwitching(): boolean {
    return this.#opening !== null
  }

  /** Cancels the switch in progress. Returns the id of its connection, or null if there is none. */
  cancelSwitch(): string | null {
    const id = this.#opening
    if (id === null) return null
    this.#opening = null
    this.#switches += 1
    void this.#bridge.cancelConnect()
    return id
  }

  async rename(id: string, name: string): Promise<void> {
    const answer = await this.#bridge.renameConnection({ id, name })
    await this.load()
    if (!answer.ok) this.error = answer.error
  }

  reset(): void {
    this.error = null
    this.#opening = null
  }
}
