import { setImmediate as othersTurn } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { RequestAttempt } from '../../../src/main/service/attempt.ts'
import { notApplied, outcomeWithoutAnswer } from '../../../src/main/service/outcome.ts'
import { always, startHost } from './host.ts'

function newAgent(): Agent {
  const agent = new Agent()
  onTestFinished(() => agent.destroy())
  return agent
}

test.each([
  ['a new', false],
  ['an open', true],
])(
  'a request that the client ends at any moment, over %s connection, is reported as never sent if and only if the service has not received it',
  async (_kind, open) => {
    const { origin, received } = await startHost(always(200, {}))
    const agent = newAgent()
    const sent: string[] = []
    for (let steps = 0; steps < 20; steps++) {
      if (open) {
        await (await fetch(`${origin}/open`, { dispatcher: agent })).text()
        await othersTurn()
      }
      const attempt = new RequestAttempt()
      const path = `/${String(steps)}`
      const request = { method: 'PUT', body: 'x', signal: attempt.signal, dispatcher: attempt.over(agent) }
      const answer = fetch(origin + path, request).then(async (response) => void (await response.text()))
      for (let step = 0; step < steps; step++) await othersTurn()
      attempt.end('no-connection', null)
      const lost = await answer.catch(outcomeWithoutAnswer)
      if (lost?.outcome !== 'notApplied') sent.push(path)
    }
    await (await fetch(`${origin}/open`, { dispatcher: agent })).text()
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.length).toBeLessThan(20)
    expect(received.map(({ url }) => url).filter((url) => url !== '/open')).toEqual(sent)
  },
)

test('does not send a request that was ended before it began, even if the request carries no abort signal', async () => {
  const { origin, received } = await startHost(always(200, {}))
  const attempt = new RequestAttempt()
  attempt.end('no-connection', null)
  const answer = attempt.over(newAgent()).request({ origin, path: '/', method: 'PUT', body: 'x' })
  expect(await answer.catch(outcomeWithoutAnswer)).toEqual(notApplied('no-connection'))
  expect(received).toEqual([])
})
