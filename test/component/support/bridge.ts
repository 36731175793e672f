import {
  commands,
  type CheckedRequest,
  type CommandAnswer,
  type CommandName,
  type CommandValue,
  type EventName,
  type EventPayload,
  type SitewardBridge,
} from '../../../src/preload/bridge.ts'
import type { Destination } from '../../../src/shared/destination.ts'
import { defaultSettings, type AppState } from '../../../src/shared/state.ts'
import { answersOf, type Answers, type World } from './answers.ts'
import { activeAccount, anAppState } from './fixtures.ts'

/** Replaces main. Throws if a request or an answer doesn't fit the contract. */
export class MemoryBridge {
  readonly world: World
  readonly calls: { name: CommandName; request: unknown }[] = []
  readonly #answers: Answers
  readonly #listeners = new Map<EventName, Set<(payload: never) => void>>()

  constructor(world: Partial<World> = {}) {
    const websites = world.websites ?? []
    const edits = world.edits ?? []
    this.world = {
      state: anAppState({ websites: websites.length, parked: edits.filter((edit) => edit.state === 'parked').length }),
      settings: defaultSettings,
      destination: null,
      formDrafts: null,
      account: null,
      history: [],
      activity: [],
      presets: [],
      views: [],
      tags: [],
      bulkWebsites: [],
      ...world,
      websites,
      edits,
    }
    this.#answers = answersOf(this.world)
  }

  /** Sets how this command is answered from now on. */
  answer<N extends CommandName>(name: N, answer: Answers[N]): void {
    this.#answers[name] = answer as Answers[typeof name]
  }

  requests<N extends CommandName>(name: N): CheckedRequest<N>[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.request as CheckedRequest<N>)
  }

  emit<N extends EventName>(event: N, payload: EventPayload<N>): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload as never)
  }

  /** Takes the window to a screen or form, as a link, a notification or the tray menu does. */
  leadTo(destination: Destination): void {
    this.world.destination = destination
    this.emit('destination', undefined)
  }

  /** Changes the state, and sends it to the window. Unless `change` has accounts, a new connection replaces the old account. */
  setState(change: Partial<AppState>): void {
    const former = this.world.state
    const state = { ...former, ...change }
    const ids = [former.connection?.id, state.connection?.id]
    const others = former.accounts.filter(({ id }) => !ids.includes(id))
    this.world.state = { ...state, accounts: change.accounts ?? [...activeAccount(state), ...others] }
    this.emit('state', this.world.state)
  }

  /** The object that the window gets as `window.siteward`. */
  readonly siteward: SitewardBridge = {
    ...(Object.fromEntries(
      (Object.keys(commands) as CommandName[]).map((name) => [name, (request: unknown) => this.#call(name, request)]),
    ) as unknown as Omit<SitewardBridge, 'on'>),
    on: (event, listener) => {
      const listeners = this.#listeners.get(event) ?? new Set()
      this.#listeners.set(event, listeners.add(listener))
      return () => void listeners.delete(listener)
    },
  }

  async #call(name: CommandName, sent: unknown): Promise<CommandAnswer<CommandName>> {
    const { request, answer } = commands[name]
    const checked = request.parse(structuredClone(sent))
    this.calls.push({ name, request: checked })
    const given = await this.#answers[name](checked as never)
    return given.ok
      ? { ok: true, value: answer.parse(structuredClone(given.value)) as CommandValue<CommandName> }
      : given
  }
}
