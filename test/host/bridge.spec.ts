import { expect, test } from '@playwright/test'
import { launchFixture, ready, type Fixture } from './fixture.ts'

type Any = ReturnType<typeof JSON.parse>
declare const api: Record<string, Any>
declare const first: string

let fixture: Fixture
test.beforeAll(async () => (fixture = await launchFixture()))
test.afterAll(() => fixture.close())

for (const round of ['first load', 'after a reload']) {
  test.describe(round, () => {
    test.beforeAll(async () => {
      if (round !== 'first load') await fixture.page.reload()
      await ready(fixture.page)
    })

    test('the API is there for the first script of the page, and nothing else of the preload is', async () => {
      expect(await fixture.page.evaluate(() => first)).toBe('object,undefined,undefined,5')
      expect(await fixture.page.evaluate(() => Object.keys(window).filter((key) => /host|preload/i.test(key)))).toEqual(
        [],
      )
    })

    test('exposed objects are frozen copies, and a name is exposed once', async () => {
      const [frozen, kept, second] = await fixture.page.evaluate(() => {
        const held = api
        try {
          held['version'] = 'changed'
          ;(window as Any).api = null
        } catch {
          // refused aloud in strict code
        }
        return [Object.isFrozen(api['nested'].list[1]), api['version'], (window as Any).secondExpose]
      })
      expect([frozen, kept]).toEqual([true, '1.2'])
      expect(second).toContain('Cannot bind an API on top of an existing property on the window object')
    })

    test("values arrive as the page's own: prototypes are dropped, cycles kept", async () => {
      const seen = await fixture.page.evaluate(() => ({
        point: [Object.getPrototypeOf(api['point']) === Object.prototype, api['point'].x, typeof api['point'].method],
        twice: api['point'].twice(),
        circular: api['circular'].self === api['circular'],
        date: api['when'] instanceof Date && api['when'].getTime(),
        map: api['map'] instanceof Map && api['map'].get('a')[0],
      }))
      expect(seen).toEqual({ point: [true, 1, 'undefined'], twice: 2, circular: true, date: 5, map: 1 })
    })

    test('what is given is copied, not shared', async () => {
      const keys = await fixture.page.evaluate(() => {
        const given = { a: 1 }
        return [api['change'](given), Object.keys(given)]
      })
      expect(keys).toEqual([['a', 'changed'], ['a']])
    })

    test('functions and promises cross both ways', async () => {
      expect(await fixture.page.evaluate(() => api['callBack']((given: Any) => given.x + 1))).toBe(2)
      expect(await fixture.page.evaluate(() => api['callBackLater'](async (n: number) => n * 10))).toBe(71)
    })

    test('errors cross with name and message, at once and later', async () => {
      const caught = await fixture.page.evaluate(async () => {
        const errors: unknown[] = []
        try {
          api['throwNow']()
        } catch (error) {
          errors.push(error)
        }
        await api['throwLater']().catch((error: unknown) => errors.push(error))
        return errors.map((error) => [error instanceof Error, String(error)])
      })
      expect(caught).toEqual([
        [true, 'RangeError: at once'],
        [true, 'TypeError: later'],
      ])
    })

    test("what can't be cloned is refused", async () => {
      const refused = await fixture.page.evaluate(() =>
        [() => api['symbol'](), () => api['echo'](new WeakMap()), () => api['echo'](document)].map((attempt) => {
          try {
            return attempt() && 'passed'
          } catch (error) {
            return String(error)
          }
        }),
      )
      for (const text of refused) expect(text).toContain('could not be cloned')
    })

    test('a key called __proto__ pollutes nothing', async () => {
      const polluted = await fixture.page.evaluate(async () => {
        const given = JSON.parse('{"__proto__":{"polluted":1}}')
        const back = [api['echo'](given), (await api['invoke']('echo', given))[0]]
        return [...back.map((value) => Object.hasOwn(value, '__proto__')), 'polluted' in {}]
      })
      expect(polluted).toEqual([true, true, false])
    })

    test('ipcRenderer.invoke clones arguments and answers as structured clone does', async () => {
      const kinds = await fixture.page.evaluate(async () => {
        const shared = { n: 1 }
        const cycle: Any = { shared, again: shared, $: 'tag' }
        cycle.self = cycle
        const given = [
          new Date(3),
          undefined,
          new Map([[1, new Set([2])]]),
          new Uint8Array([7, 8]),
          10n,
          -0,
          NaN,
          cycle,
        ]
        const [date, nothing, map, bytes, big, zero, nan, back] = await api['invoke']('echo', ...given)
        return [
          date instanceof Date && date.getTime() === 3,
          nothing === undefined,
          map.get(1).has(2),
          bytes instanceof Uint8Array && bytes[1] === 8,
          big === 10n,
          Object.is(zero, -0),
          Number.isNaN(nan),
          back.self === back && back.again === back.shared && back.$ === 'tag',
        ]
      })
      expect(kinds).toEqual(Array(8).fill(true))
    })

    test('a function is refused by invoke', async () => {
      const refusal = fixture.page.evaluate(() => api['invoke']('echo', { f: () => 1 }).catch(String))
      await expect(refusal).resolves.toContain('could not be cloned')
    })

    test("a handler's error and a missing handler are told in Electron's words", async () => {
      const words = await fixture.page.evaluate(() =>
        Promise.all([api['invoke']('fail').catch(String), api['invoke']('nobody').catch(String)]),
      )
      expect(words).toEqual([
        "Error: Error invoking remote method 'fail': TypeError: no good",
        "Error: Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
      ])
    })

    test('the event tells who asks: the main frame, by its app:// address', async () => {
      const who = await fixture.page.evaluate(() => api['invoke']('who'))
      expect(who).toEqual({ url: 'app://bundle/index.html', main: true, parent: null, contents: true })
    })

    test('webContents.send reaches on, once and off, in order', async () => {
      await fixture.page.evaluate(() => {
        const got: unknown[] = []
        const stop = api['on']('tick', (value: unknown) => got.push(value))
        api['once']('tick', (value: unknown) => got.push(['once', value]))
        Object.assign(window, { got, stop })
      })
      await fixture.main((_electron, { window }) => {
        window.webContents.send('tick', 1)
        window.webContents.send('tick', { when: new Date(2) })
      })
      await expect.poll(() => fixture.page.evaluate('got.length')).toBe(3)
      expect(await fixture.page.evaluate('JSON.stringify(got)')).toBe(
        '[1,["once",1],{"when":"1970-01-01T00:00:00.002Z"}]',
      )
      await fixture.page.evaluate('stop()')
      await fixture.main((_electron, { window }) => window.webContents.send('tick', 3))
      expect(await fixture.page.evaluate(() => api['invoke']('echo', 'later'))).toEqual(['later'])
      expect(await fixture.page.evaluate('got.length')).toBe(3)
    })

    test('webContents.send refuses what structured clone refuses', async () => {
      const refusal = fixture.main((_electron, { window }) => window.webContents.send('tick', () => 1))
      await expect(refusal).rejects.toThrow('could not be cloned')
    })

    test('ipcRenderer.send is heard by ipcMain.on', async () => {
      await fixture.page.evaluate((name) => api['note'](name, 1), round)
      await expect.poll(() => fixture.main((_electron, main) => main.heard)).toContainEqual([round, 1])
    })

    test('a subframe has no preload', async () => {
      const types = await fixture.page.evaluate(() => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        const inner = frame.contentWindow as Any
        return [typeof inner.api, Object.keys(inner).filter((key) => /host/i.test(key)).length]
      })
      expect(types).toEqual(['undefined', 0])
    })
  })
}

test('a page that replaces every builtin neither breaks the bridge nor sees anything of it', async () => {
  await fixture.page.evaluate(() => {
    const { defineProperty } = Object
    const note = (what: string): never => {
      ;(window as Any).caught += `${what} `
      throw new Error('tampered')
    }
    ;(window as Any).caught = ''
    const methods: [Any, string[]][] = [
      [EventTarget.prototype, ['dispatchEvent', 'addEventListener', 'removeEventListener']],
      [Array.prototype, ['push', 'map', 'forEach', 'slice', 'concat', 'includes', 'filter']],
      [Map.prototype, ['get', 'set', 'delete', 'has']],
      [Object, ['keys', 'freeze', 'entries', 'assign', 'hasOwn', 'defineProperty', 'getPrototypeOf']],
      [Object.prototype, ['toString', 'hasOwnProperty']],
      [Reflect, ['apply', 'construct', 'defineProperty', 'getPrototypeOf', 'get']],
      [Promise.prototype, ['then']],
      [Function.prototype, ['call', 'bind', 'apply']],
      [JSON, ['stringify', 'parse']],
    ]
    const constructors = [
      'CustomEvent',
      'Event',
      'MouseEvent',
      'EventTarget',
      'Map',
      'Promise',
      'Error',
      'structuredClone',
    ]
    defineProperty(CustomEvent.prototype, 'detail', { get: () => note('detail') })
    defineProperty(MouseEvent.prototype, 'relatedTarget', { get: () => note('relatedTarget') })
    for (const name of constructors) (window as Any)[name] = () => note(name)
    for (const [holder, names] of methods) {
      for (const name of names) defineProperty(holder, name, { value: () => note(name) })
    }
    Array.prototype[Symbol.iterator] = () => note('iterator')
    defineProperty(Object.prototype, 'get', { value: () => note('get') })
    defineProperty(Array.prototype, 0, { set: () => note('set 0') })
  })
  // Playwright's own evaluation needs builtins: main asks the page without it.
  const ask = (code: string): Promise<unknown> =>
    fixture.main((_electron, { window }, code) => window.webContents.executeJavaScript(code), code)
  expect(await ask('api.sum(20, 22)')).toBe(42)
  expect(await ask("api.invoke('echo', 5)")).toEqual([5])
  expect(await ask('api.callBack((given) => given.x + 1)')).toBe(2)
  expect(await ask('api.echoLater({ a: [1] })')).toEqual({ a: [1] })
  expect(await ask('caught')).toBe('')
})
