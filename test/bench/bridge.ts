import type { IpcMainInvokeEvent } from 'electron'
import { checked } from '../../src/main/ipc/checked.ts'
import { websiteHandlers } from '../../src/main/ipc/websites.ts'
import { commands } from '../../src/preload/bridge.ts'
import { fill, openConnection, temporaryFolder } from './connection.ts'
import type { Bench } from './figure.ts'
import { inTurn, ratio } from './in-turn.ts'

const WEBSITES = 1000

/** A page of the list, asked for by the window: what it costs that request and answer are checked on the way. */
export const bridge: Bench = {
  name: 'bridge',
  about:
    'A page of 100 rows asked for over the bridge, with its request and its answer checked against the contract and ' +
    'cloned as they cross; against the same without the checks.',
  async run({ quick }) {
    const { folder, end } = temporaryFolder()
    const opened = await openConnection(folder)
    fill(opened, WEBSITES)
    const handler = websiteHandlers(opened.connections).listWebsites
    const invoke = checked('listWebsites', handler, {
      isOurPage: () => true,
      gate: { enter: () => true, leave: () => undefined },
      log: () => undefined,
    })
    const request = commands.listWebsites.request.parse({ per_page: 100, page: 1 })
    const cross = (what: unknown) => structuredClone(what) as typeof request
    const times = await inTurn(
      {
        checked: {
          async run() {
            structuredClone(await invoke({} as IpcMainInvokeEvent, cross(request)))
          },
        },
        bare: {
          async run() {
            structuredClone(await handler(cross(request)))
          },
        },
      },
      { rounds: quick ? 50 : 1000, warm: 50 },
    )
    await opened.connection.close()
    end()
    const inMs = (name: keyof typeof times) => `${times[name].median.toFixed(3)} ms`
    return [
      {
        name: 'bridge: a page of 100 rows, unchecked',
        ratio: ratio(times.checked, times.bare),
        bar: { most: 1.25 },
        of: `${inMs('checked')} to ${inMs('bare')}`,
      },
    ]
  },
}
