import { afterEach, beforeEach, expect } from 'vitest'
import { fakeClock, settled, type FakeClock } from './clock.ts'
import { draft, FakeSealer, must, startConnection, useFolder } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

export type App = ReturnType<typeof startConnection>

/** A service, the time, the keychain, and the app of a user who works with that service: new for each test. */
export let service: SimulatedService
export let clock: FakeClock
export let sealer: FakeSealer
export let app: App

/** Where its file is, or one of that name. */
export let file: (name?: string) => string = () => ':memory:'

interface Beginning {
  /** Whether it has read the list; else it has only heard of the service. */
  listed?: boolean
  /** Whether its file outlives it. */
  onDisk?: boolean
}

/** Before each test the app starts on a service that was prepared so, and begins with what it has read there. */
export function useApp(prepare: () => void = () => {}, { listed = true, onDisk = false }: Beginning = {}): void {
  if (onDisk) file = useFolder()
  beforeEach(async () => {
    service = new SimulatedService()
    clock = fakeClock()
    sealer = new FakeSealer()
    prepare()
    start()
    if (listed) must(await app.refresh.run())
    else await app.reach.probe()
    service.asked.length = 0
  })
  afterEach(() => app.close())
}

/** Starts it (again); the one before was closed, or has crashed. `name`: of another file. */
export function start(name?: string): void {
  app = startConnection({ service, clock, sealer, file: file(name) })
}

/** The power goes between a create and its answer: what was in flight arrives there, and nobody here hears of it. */
export async function endInCreate(domain: string): Promise<void> {
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft(domain)))
  await settled()
  void app.outbox.stop()
  app.store.close()
  release()
  service.after = () => {}
}

/** A website that both sides have; nothing was asked of the service since. */
export async function shared(domain = 'a.example'): Promise<string> {
  service.add(domain)
  must(await app.refresh.run())
  service.asked.length = 0
  return app.keyOf(domain)
}

/** The next update is answered with nothing, and `then` runs once it has been carried out. */
export function answerUpdateWithNothing(then: () => void): void {
  service.fail('update', { empty: true })
  service.after = (operation) => {
    if (operation !== 'update') return
    service.after = () => {}
    then()
  }
}

export const there = () => app.keyOf('there.example')
/** As the service has the first one. */
export const record = () => service.records.get('1') ?? expect.fail('it is gone')
