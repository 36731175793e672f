import { describe, expect, test } from 'vitest'
import { preferredRouteView, readRoutes, systemRoutes, type Route } from '../../../src/main/service/proxy.ts'

test.each([
  ['PROXY proxy.example:3128; DIRECT', [{ kind: 'http', host: 'proxy.example', port: 3128 }, 'direct']],
  ['PROXY proxy.example', [{ kind: 'http', host: 'proxy.example', port: 80 }]],
  ['HTTPS proxy.example', [{ kind: 'https', host: 'proxy.example', port: 443 }]],
  ['SOCKS5 proxy.example', [{ kind: 'socks5', host: 'proxy.example', port: 1080 }]],
  ['SOCKS proxy.example:1080', ['unsupported']],
  ['  proxy [::1]:8080 ;;', [{ kind: 'http', host: '::1', port: 8080 }]],
  ['PROXY user:secret@proxy.example:3128', ['unsupported']],
  ['PROXY proxy.example:99999', ['unsupported']],
  ['PROXY a.example:1 b.example:2', ['unsupported']],
  ['DIRECT a.example', ['unsupported']],
])('reads the routes of the PAC result %j', (pacResult, expected) => {
  expect(readRoutes(pacResult)).toEqual(expected.map((each) => (typeof each === 'string' ? { kind: each } : each)))
})

describe('a proxy variable of the environment', () => {
  const routesFor = (env: Record<string, string>, pacResult: string): Promise<Route[]> =>
    systemRoutes(async () => pacResult, env)('http://stats.example')
  const local = { host: '127.0.0.1', port: 1080 }

  test.each([
    [{ all_proxy: 'socks5://127.0.0.1:1080' }],
    [{ ALL_PROXY: 'socks5h://127.0.0.1:1080/' }],
    [{ http_proxy: 'SOCKS://127.0.0.1:1080' }],
  ])('with a SOCKS scheme is used as SOCKS, though Chromium takes it for an HTTP proxy: %o', async (env) => {
    await expect(routesFor(env, 'PROXY 127.0.0.1:1080')).resolves.toEqual([{ kind: 'socks5', ...local }])
  })

  test('with SOCKS 4 is not supported', async () => {
    await expect(routesFor({ http_proxy: 'socks4://127.0.0.1:1080' }, 'PROXY 127.0.0.1:1080')).resolves.toEqual([
      { kind: 'unsupported' },
    ])
  })

  test.each([
    [{ HTTPS_PROXY: 'socks5://user:p@ss@127.0.0.1:1080' }, 'socks5', 'PROXY', { name: 'user', password: 'p@ss' }],
    [{ http_proxy: 'http://Ada:a%3Ab%20@127.0.0.1:1080' }, 'http', 'PROXY', { name: 'Ada', password: 'a:b ' }],
    [{ http_proxy: 'Ada:100%@127.0.0.1:1080' }, 'http', 'PROXY', { name: 'Ada', password: '100%' }],
    [{ http_proxy: 'https://Ada@127.0.0.1:1080' }, 'https', 'HTTPS', { name: 'Ada', password: '' }],
  ])(
    'with a name and password, which Chromium drops, adds this sign-in to the route: %o',
    async (env, kind, word, login) => {
      await expect(routesFor(env, `${word} 127.0.0.1:1080`)).resolves.toEqual([{ kind, ...local, login }])
    },
  )

  test('without a port uses the port that Chromium uses', async () => {
    await expect(routesFor({ all_proxy: 'socks5://Gate.example' }, 'PROXY gate.example:80;DIRECT')).resolves.toEqual([
      { kind: 'socks5', host: 'gate.example', port: 80 },
      { kind: 'direct' },
    ])
    await expect(routesFor({ all_proxy: 'socks5://[::1]:1080' }, 'PROXY [::1]:1080')).resolves.toEqual([
      { kind: 'socks5', host: '::1', port: 1080 },
    ])
  })

  test.each([
    [{ all_proxy: 'socks5://127.0.0.1:1080' }, 'DIRECT'],
    [{ all_proxy: 'socks5://a:b@127.0.0.1:1080' }, 'PROXY 127.0.0.1:3128'],
  ])('leaves the route to another host or port unchanged: %o, %s', async (env, pacResult) => {
    await expect(routesFor(env, pacResult)).resolves.toEqual(readRoutes(pacResult))
  })

  test.each([
    [{ all_proxy: 'http://127.0.0.1:1080', no_proxy: 'socks5://127.0.0.1:1080' }, 'PROXY 127.0.0.1:1080'],
    [{ all_proxy: '127.0.0.1:1080' }, 'PROXY 127.0.0.1:1080'],
    [{ all_proxy: 'socks5://127.0.0.1:1080', http_proxy: 'http://127.0.0.1:1080' }, 'PROXY 127.0.0.1:1080'],
    [{}, 'PROXY 127.0.0.1:1080'],
  ])(
    'leaves the route to a proxy unchanged that some variable names as an HTTP proxy, or that none names: %o, %s',
    async (env, pacResult) => {
      await expect(routesFor(env, pacResult)).resolves.toEqual(readRoutes(pacResult))
    },
  )
})

test('the window gets the host and port of a proxy and where its sign-in is from, but not the sign-in itself', async () => {
  const routes: Route[] = [{ kind: 'http', host: 'gate.example', port: 3128, login: { name: 'Ada', password: 'x' } }]
  const shown = (stored: boolean) =>
    preferredRouteView(
      async () => routes,
      'https://stats.example/path',
      () => stored,
    )
  const proxy = { kind: 'proxy', protocol: 'http', host: 'gate.example', port: 3128 }
  expect(await shown(false)).toEqual({ ...proxy, login: 'environment' })
  expect(await shown(true)).toEqual({ ...proxy, login: 'stored' })
})
