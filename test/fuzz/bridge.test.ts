import fc from 'fast-check'
import type { IpcMainInvokeEvent } from 'electron'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checked, type Handler, type Handlers, type Invoke } from '../../src/main/ipc/checked.ts'
import { connectionHandlers } from '../../src/main/ipc/connection.ts'
import { editHandlers } from '../../src/main/ipc/edits.ts'
import { createGate } from '../../src/main/ipc/gate.ts'
import { websiteHandlers } from '../../src/main/ipc/websites.ts'
import { createJournal } from '../../src/main/log/log.ts'
import { commands, type CommandName } from '../../src/preload/bridge.ts'
import { fail, resultSchema } from '../../src/shared/result.ts'
import { Rig } from '../unit/connection/rig.ts'
import { fitting } from './fitting.ts'
import { cloneable, spoilt } from './hostile.ts'
import { settings, timeout } from './settings.ts'

const names = Object.keys(commands) as CommandName[]
const event = {} as IpcMainInvokeEvent

/** What reaches beyond the connection (another address, the app's own file, the tray, a dialog), and is another test's. */
const elsewhere = ['connect', 'trySample', 'disconnect'] as const
const ofTheApp = [
  'getState',
  'getAbout',
  'getSettings',
  'setSettings',
  'takeDestination',
  'keepUnfinished',
  'getUnfinished',
  'dismissMishap',
  'downloadUpdate',
  'restartToUpdate',
  'checkSetUp',
  'copyDiagnostics',
] as const
const dialogs = ['exportEdits', 'importEdits', 'dismissSalvage'] as const
type Elsewhere = (typeof elsewhere | typeof ofTheApp | typeof dialogs)[number]

let rig: Rig
let lines: string[]
let invoke: Record<CommandName, Invoke>
beforeEach(async () => {
  rig = new Rig()
  const host = await rig.host({ id: 1, key: 'key-1', websites: ['a.example', 'b.example'] })
  await rig.connected(host.address, 'key-1')
  await expect.poll(() => rig.connections.active()?.view.total()).toBe(2)
  const refused = [...elsewhere, ...ofTheApp, ...dialogs].map((name) => [name, () => fail('no-connection')])
  // A command that is new has to be put to one side or the other: the compiler asks for it.
  const handlers: Handlers = {
    ...connectionHandlers(rig.connections, () => undefined),
    ...websiteHandlers(rig.connections),
    ...editHandlers(rig.connections, () => undefined),
    ...(Object.fromEntries(refused) as Pick<Handlers, Elsewhere>),
  }
  const gate = createGate(() => 0, { atOnce: 1000, perSecond: Number.POSITIVE_INFINITY })
  lines = []
  const { log } = createJournal(
    ({ text }) => lines.push(text),
    () => 0,
  )
  const behind = { isOurPage: () => true, gate, log }
  invoke = Object.fromEntries(
    names.map((name) => [name, checked(name, handlers[name] as Handler<CommandName>, behind)]),
  ) as typeof invoke
})
afterEach(() => rig.close())

/** Keys of what is there, and what makes sense to the commands. */
async function textsOfTheApp(): Promise<string[]> {
  const list = rig.connections.active()?.view.list({ search: '', sort: 'asc', page: 1, ...everything })
  const keys = list?.ok ? list.value.websites.map(({ key }) => key) : []
  return [...keys, 'c.example', 'taken.example', '192.0.2.0/24', 'utm_source']
}
const everything = { search_by: 'domain', sort_by: 'id', per_page: 100 } as const

describe('whatever is asked of the bridge', () => {
  test.each(names)(
    '%s answers by the contract, and neither logs nor says back what it was sent',
    async (name) => {
      const { request, answer } = commands[name]
      const fits = fitting(request, await textsOfTheApp())
      const asked = fc.oneof(fits, spoilt(fits), cloneable)
      await fc.assert(
        fc.asyncProperty(asked, async (value) => {
          const result = await invoke[name](event, value)
          expect(resultSchema(answer).safeParse(result).success).toBe(true)
          if (result.ok) return
          expect(result.error.code).not.toMatch(/^(internal|malformed-answer|flooded)$/)
          if (!request.safeParse(value).success) expect(result).toEqual(fail('malformed-request'))
        }),
        settings(60),
      )
      expect(lines).toEqual([])
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
    timeout,
  )
})
