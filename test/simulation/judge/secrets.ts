import { CANARY, type World } from '../world/world.ts'
import type { Finding } from './fault.ts'

/** Finds secrets on disk, on a screen or in an export, and requests with the key of another account. */
export async function judgeSecrets({ app, disk, network, connection, leaks }: World): Promise<Finding[]> {
  const exported = await app.outbox.exportQueue()
  const places = {
    disk: disk.text(),
    screens: JSON.stringify([app.edits(), app.websites(), app.history()]),
    export: exported.ok ? exported.value.text : '',
  }
  const found = Object.entries(places).flatMap(([place, text]): Finding[] => {
    const secret = CANARY.exec(text)?.[0]
    return secret === undefined ? [] : [{ count: 'wrong', text: `${secret} is in clear in the ${place}` }]
  })
  const crossed = network.sent
    .filter(({ method, headers: { authorization: key = '' } }) => {
      // A read with a key that the user has typed shows whose key it is.
      const isTried = method === 'GET' && key === 'Bearer key-canary-other'
      return !isTried && !key.endsWith(`-${connection}`)
    })
    .map(({ n }): Finding => ({ count: 'wrong', text: `request ${n} has the key of another account` }))
  return [...leaks.map((text): Finding => ({ count: 'wrong', text })), ...found, ...crossed]
}
