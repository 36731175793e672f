import { afterEach, beforeEach, expect } from 'vitest'
import { fakeClock, settled, type FakeClock } from './clock.ts'
import { draft, FakeSealer, must, startConnection, useFolder } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

export type App = ReturnType<typeof startConnection>

const inMemory = (): string => ':memory:'

/** The service to which {@link app} is connected, new for each test. */
export let service: SimulatedService
/** The clock of {@link app}, new for each test. */
export let clock: FakeClock
/** The sealer of the passwords of {@link app}, new for each test. */
export let sealer: FakeSealer
/** The running app of the user, new for each test and after each {@link start}. */
export let app: App

/** Returns the path of the app's database, or of the file with this name beside it. Without `onDisk`, it is always `:memory:`. */
export let file: (name?: string) => string = inMemory

interface Beginning {
  /** True if the app has read the list; otherwise the service has only answered once. */
  listed?: boolean
  /** True if the database of the app is a file; otherwise it is in memory, and a restart begins without data. */
  onDisk?: boolean
}

/** Starts the app before each test on the service that `prepare` has filled, and forgets the requests of the start. */
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

/** Starts the app again after it was closed or has crashed. With `name`, the app starts on another file of this name. */
export function start(name?: string): void {
  app = startConnection({ service, clock, sealer, file: file(name) })
}

/** Cuts the power between a create and its answer: the request arrives, and its answer is lost. */
export async function endInCreate(domain: string): Promise<void> {
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft(domain)))
  await settled()
  void app.outbox.stop()
  app.store.close()
  release()
  service.after = () => {}
}

/** Adds a website to the service and the app's list, forgets the requests so far, and returns the website's key. */
export async function addSharedWebsite(domain = 'a.example'): Promise<string> {
  service.add(domain)
  must(await app.refresh.run())
  service.received.length = 0
  return app.keyOf(domain)
}

/** Answers the next update with an empty body, and calls `then` once it is applied. */
export function answerUpdateWithNothing(then: () => void): void {
  service.fail('update', { empty: true })
  service.after = (operation) => {
    if (operation !== 'update') return
    service.after = () => {}
    then()
  }
}

/** Returns the key of `there.example`, which most tests add. */
export const existingKey = () => app.keyOf('there.example')
/** Returns the service's record with the id 1, and fails the test if it is gone. */
export const record = () => service.records.get('1') ?? expect.fail('it is gone')
