import builder from '../../../electron-builder.config.mjs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { destinationSchema } from '../../../src/shared/destination.ts'
import { parseLink } from '../../../src/main/shell/link.ts'
import { readArguments } from '../../../src/main/shell/start-arguments.ts'

test('a link opens a website, or the form for a new one', () => {
  expect(parseLink('siteward://website/kestrel-press.example')).toEqual({
    to: 'website',
    domain: 'kestrel-press.example',
  })
  expect(parseLink('SITEWARD://WEBSITE/Kestrel-Press.example/')).toEqual({
    to: 'website',
    domain: 'kestrel-press.example',
  })
  expect(parseLink('siteward://add?domain=new.example')).toEqual({ to: 'add', domain: 'new.example' })
  expect(parseLink('siteward://add/?domain=new.example')).toEqual({ to: 'add', domain: 'new.example' })
  expect(parseLink('siteward://add')).toEqual({ to: 'add', domain: '' })
  expect(parseLink('siteward://add?domain=b%C3%BCcher.example')).toEqual({ to: 'add', domain: 'xn--bcher-kva.example' })
})

test.for([
  'https://website/a.example',
  'siteward:website/a.example',
  'siteward:///website/a.example',
  'siteward://',
  'siteward://website',
  'siteward://website/',
  'siteward://website/a.example/delete',
  'siteward://website/a.example?delete=1',
  'siteward://website/a.example#x',
  'siteward://website/..%2f..%2fetc',
  'siteward://website/a.example%00',
  'siteward://website/a.example%0d%0a--no-sandbox',
  'siteward://website/%E2%80%AEgro.elpmaxe',
  'siteward://website/a.exa mple',
  ' siteward://website/a.example',
  'siteward://website/a.example\n',
  'siteward://website/user@a.example',
  'siteward://website/a.example:8080',
  'siteward://website/%',
  'siteward://website@evil.example/a.example',
  'siteward://settings/paused',
  'siteward://connect?address=https://evil.example',
  'siteward://add?domain=a.example&domain=b.example',
  'siteward://add?domain=a.example&save=1',
  'siteward://add?save=1&domain=a.example',
  'siteward://add?domain=https://a.example/path',
  'siteward://add?domain=javascript:alert(1)',
  'siteward://add?domain=<script>',
  'siteward://add?domain=a.example#save',
  'siteward://add?privacy=0',
  `siteward://add?domain=${'a.'.repeat(600)}example`,
])('%s is no link that the app follows', (text) => {
  expect(parseLink(text)).toBeNull()
})

test('a link opens only a website or the form for a new one, whatever text a page writes', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('siteward://', 'website/', 'add', '?domain=', '%2e', '..', 'a.example'),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const found = parseLink(`siteward://${parts.join('')}`)
      if (found === null) return
      expect(destinationSchema.safeParse(found).success).toBe(true)
      expect(found.to).not.toBe('screen')
      if ('domain' in found) expect(found.domain).toMatch(/^[a-z0-9._-]{0,255}$/)
    }),
    { numRuns: 5000 },
  )
})

test('takes a single link from the command line, and none of several', () => {
  const argv = ['siteward', '--allow-file-access-from-files', '/opt/app', '--hidden', 'siteward://add']
  expect(readArguments(argv)).toEqual({ hidden: true, link: 'siteward://add' })
  expect(readArguments(['siteward', '--hiddenness', '--link=siteward://add'])).toEqual({ hidden: false, link: null })
  expect(readArguments([...argv, 'siteward://add?domain=b.example']).link).toBeNull()
})

test('understands the links of the launcher’s actions', () => {
  const desktop = builder.deb?.desktop
  const actions = Object.entries(desktop?.desktopActions ?? {})
  expect(desktop?.entry?.Actions).toBe(actions.map(([name]) => `${name};`).join(''))
  const links = actions.map(([, action]) => readArguments(String(action.Exec).split(' ')).link)
  expect(links.map((link) => parseLink(link ?? ''))).toEqual([{ to: 'add', domain: '' }])
})
