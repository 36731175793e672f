import { afterEach, beforeEach, expect } from 'vitest'
import { fakeClock, settled, type FakeClock } from './clock.ts'
import { draft, FakeSealer, must, startConnection, useFolder } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

export type App = ReturnType<typeof startConnection>

const inMemory = (): string => ':memory:'

/** The service to which {@link app} is connected. */
export let service: SimulatedService
export let clock: FakeClock
export let sealer: FakeSealer
/** The app of the running test. {@link start} replaces it. */
export let app: App

/** Returns the path of the app's database, or of another file in its folder. Always `:memory:` without `onDisk`. */
export let file: (name?: string) => string = inMemory

interface Beginning {
  /** True if the app has read the list. Otherwise, it has only had an answer from the service. */
  listed?: boolean
  /** True for a database in a file. A database in memory is empty after a restart. */
  onDisk?: boolean
}

/** Before each test, lets `prepare` fill the service, and starts the app. Requests up to then are forgotten. */
export function useApp(prepare: () => void = () => {}, { listed = true, onDisk = false }: Beginning = {}): void {
  file = onDisk ? useFolder() : inMemory
  beforeEach(async () => {
    service = new SimulatedService()
    clock = fakeClock()
    sealer = new FakeSealer()
    prepare()
    start()
    if (listed) must(await app.refresh.run())
    else await app.reach.probe()
    service.received.length = 0
  })
  afterEach(() => app.close())
}

/** Starts the app again after it was closed or has crashed. `name`: another database file. */
export function start(name?: string): void {
  app = startConnection({ service, clock, sealer, file: file(name) })
}

/** The power is cut between a create and its answer. The service applies the create. */
export async function endInCreate(domain: string): Promise<void> {
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft(domain)))
  await settled()
  void app.outbox.stop()
  app.store.close()
  release()
  service.after = () => {}
}

/** Adds a website to the service and to the app's list, and forgets all requests so far. Returns the key of the website. */
export async function addSharedWebsite(domain = 'a.example'): Promise<string> {
  service.add(domain)
  must(await app.refresh.run())
  service.received.length = 0
  return app.keyOf(domain)
}

/** The service answers the next update with an empty body. `then` is called once the update is applied. */
export function answerUpdateWithNothing(then: () => void): void {
  service.fail('update', { empty: true })
  service.after = (operation) => {
    if (operation !== 'update') return
    service.after = () => {}
    then()
  }
}

export const existingKey = () => app.keyOf('there.example')
/** The service's record of the first website. Fails the test if it is gone. */
export const record = () => service.records.get('1') ?? expect.fail('it is gone')
