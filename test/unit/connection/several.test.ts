import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fail } from '../../../src/shared/result.ts'
import { aDraft, useRig, type Rig } from './rig.ts'

const current = useRig()

/** Two accounts at one host; the second one's connection is active. */
async function two(rig: Rig) {
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  const first = await rig.connected(host.address, 'a')
  const second = await rig.connected(host.address, 'b')
  return { first, second, host }
}

/** One more edit for whatever is active. */
async function wait(rig: Rig, domain: string): Promise<void> {
  expect(await rig.connections.active()?.outbox.create(aDraft(domain))).toMatchObject({ ok: true })
}

describe('switching', () => {
  test('goes on with the key of the keychain, and what is made then goes to that account alone', async () => {
    const rig = current()
    const { first, host } = await two(rig)
    expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: true, value: { id: first.id } })
    await expect.poll(() => rig.connections.view()).toMatchObject({ id: first.id, key: 'stored' })
    await wait(rig, 'new.example')
    await expect.poll(() => host.stores[0]?.byDomain('new.example')).toBeTruthy()
    expect(host.stores[1]?.all()).toEqual([])
    await rig.connections.close()
    rig.connections = rig.start()
    await rig.connections.restore()
    expect(rig.connections.view()).toMatchObject({ id: first.id })
  })

  test('each is listed with what isn’t sent of it, the open one too', async () => {
    const rig = current()
    const { first, second, host } = await two(rig)
    await host.close()
    await wait(rig, 'one.example')
    await wait(rig, 'two.example')
    await rig.connections.switchTo(first.id)
    await wait(rig, 'three.example')
    expect(await rig.connections.list()).toMatchObject({
      ok: true,
      value: [
        { id: first.id, active: true, unsent: 1 },
        { id: second.id, active: false, unsent: 2 },
      ],
    })
  })

  test('to one whose file can’t be opened, or that isn’t there, leaves all as it was', async () => {
    const rig = current()
    const { first, second } = await two(rig)
    const file = join(rig.folder, `${first.id}.sqlite`)
    rmSync(file)
    mkdirSync(file)
    expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: false })
    expect(await rig.connections.list()).toMatchObject({ ok: true, value: [{ unsent: null }, { unsent: 0 }] })
    expect(await rig.connections.switchTo('none')).toEqual(fail('no-connection'))
    expect(rig.connections.view()).toMatchObject({ id: second.id, key: 'stored' })
    expect(rig.app.activeConnection()).toMatchObject({ id: second.id })
  })
})
