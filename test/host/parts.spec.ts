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
  const env = { https_proxy: 'http://proxy.test:3128', HTTP_PROXY: 'proxy.test', no_proxy: 'inner.test, .local' }
  const proxyFor = (url: string): string => systemProxy(new URL(url), env)
  expect(proxyFor('https://stats.test/')).toBe('PROXY proxy.test:3128')
  expect(proxyFor('http://stats.test/')).toBe('PROXY proxy.test:80')
  expect(proxyFor('https://api.inner.test/')).toBe('DIRECT')
  expect(proxyFor('https://box.local/')).toBe('DIRECT')
  expect(proxyFor('http://127.0.0.1:1/')).toBe('DIRECT')
})
