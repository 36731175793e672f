import { expect, test } from '@playwright/test'
import { systemProxy } from '../../scripts/host/api/proxy.ts'
import { parseCommandLine } from '../../scripts/host/command-line.ts'
import { Addresses } from '../../scripts/host/scheme/addresses.ts'

test('the command line is Electron’s: switches anywhere, the first plain argument is the app', () => {
  const args = ['-r', './loader.js', '--no-sandbox', '--inspect=0', '.', '--User-Data-Dir=/a=b', 'link://x', '-r']
  const { appPath, required, switches } = parseCommandLine(args)
  expect([appPath, required]).toEqual(['.', ['./loader.js']])
  expect([...switches]).toEqual([
    ['no-sandbox', ''],
    ['inspect', '0'],
    ['user-data-dir', '/a=b'],
  ])
})

test('app:// and its https stand-in map to each other, and to nothing else', () => {
  const addresses = new Addresses()
  addresses.add('app')
  for (const url of ['app://bundle/x?y#z', 'app://bundle/', 'app://bundle']) {
    expect(addresses.toApp(addresses.toChromium(url))).toBe(url)
  }
  for (const url of [
    'https://bundle.app.invalid.evil.test/x',
    'https://bundle.other.invalid/x',
    'https://evil.test/',
  ]) {
    expect(addresses.toApp(url)).toBe(url)
  }
  expect(addresses.toChromium('other://bundle/x')).toBe('other://bundle/x')
})

test('sources of a policy are mapped where they are sources', () => {
  const addresses = new Addresses()
  addresses.add('app')
  expect(addresses.policyToChromium("default-src 'self'; connect-src app://api app: https://app.test")).toBe(
    "default-src 'self'; connect-src https://api.app.invalid https://*.app.invalid https://app.test",
  )
})

test('resolveProxy says what the environment says', () => {
  const env = {
    https_proxy: 'http://proxy.test:3128',
    HTTP_PROXY: 'proxy.test',
    no_proxy: 'inner.test, .local,a.test:8443',
  }
  const proxyFor = (url: string): string => systemProxy(new URL(url), env)
  expect(proxyFor('https://stats.test/')).toBe('PROXY proxy.test:3128')
  expect(proxyFor('http://stats.test/')).toBe('PROXY proxy.test:80')
  expect(proxyFor('https://api.inner.test/')).toBe('DIRECT')
  expect(proxyFor('https://winner.test/')).toBe('PROXY proxy.test:3128')
  expect(proxyFor('https://box.local/')).toBe('DIRECT')
  expect(proxyFor('https://a.test:8443/')).toBe('DIRECT')
  expect(proxyFor('https://a.test/')).toBe('PROXY proxy.test:3128')
})

test('resolveProxy leaves this machine and its link alone', () => {
  const env = { all_proxy: 'proxy.test:1' }
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '169.254.1.1', '[fe80::1]']) {
    expect(systemProxy(new URL(`http://${host}:8080/`), env), host).toBe('DIRECT')
  }
  for (const host of ['localhost.test', '128.0.0.1', '[2001:db8::1]']) {
    expect(systemProxy(new URL(`https://${host}/`), env), host).toBe('PROXY proxy.test:1')
  }
})

test('resolveProxy has the words of a PAC file for each kind of proxy, and no password in them', () => {
  const words = (proxy: string): string => systemProxy(new URL('https://stats.test/'), { https_proxy: proxy })
  expect(words('https://proxy.test')).toBe('HTTPS proxy.test:443')
  expect(words('socks://proxy.test')).toBe('SOCKS5 proxy.test:1080')
  expect(words('socks4://proxy.test:9')).toBe('SOCKS proxy.test:9')
  expect(words('http://me:hush@[::1]:8080/')).toBe('PROXY [::1]:8080')
  expect(words('')).toBe('DIRECT')
})

test('resolveProxy fails loudly on what it can’t read, and tells no password', () => {
  const asked = (env: Record<string, string>) => () => systemProxy(new URL('https://stats.test/'), env)
  for (const proxy of ['gopher://me:hush@proxy.test', 'http://me:hush@', 'a b']) {
    expect(asked({ https_proxy: proxy })).toThrow(/^(?!.*hush).*cannot read/)
  }
  expect(asked({ auto_proxy: 'http://wpad/' })).toThrow('auto_proxy')
  expect(asked({ no_proxy: '10.0.0.0/8', https_proxy: 'proxy.test' })).toThrow('10.0.0.0/8')
})
