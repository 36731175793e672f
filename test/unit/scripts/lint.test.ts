import { ESLint } from 'eslint'
import { describe, expect, it } from 'vitest'

const eslint = new ESLint({ cwd: process.cwd() })

const broken = async (filePath: string, code: string): Promise<(string | null)[]> => {
  const [result] = await eslint.lintText(code, { filePath })
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message)
}

const imports = '@typescript-eslint/no-restricted-imports'
const use = (from: string): string => `import { x } from '${from}'\nexport const y = x\n`
const useType = (from: string): string => `import type { X } from '${from}'\nexport type Y = X\n`

const rawIpc = `import { ipcMain } from 'electron'\nipcMain.on('a', () => 1)\n`

/** Returns code that imports a module at run time. */
const useLater = (from: string): string => `export const y = await import('${from}')\n`
/** Returns code that uses the type of a module without an import statement. */
const typeOf = (from: string): string => `export type Y = import('${from}').X\n`

describe('import zones', () => {
  it.each([
    ['src/shared imports Node', 'src/shared/a.ts', use('node:fs')],
    ['src/shared imports main', 'src/shared/a.ts', use('../main/service/requests.ts')],
    ['src/shared imports a package for display', 'src/shared/a.ts', use('punycode/')],
    ['src/shared/display imports main', 'src/shared/display/a.ts', use('../../main/service/form.ts')],
    ['src/shared/display imports a library', 'src/shared/display/a.ts', use('zod')],
    ['the storage imports texts', 'src/main/storage/a.ts', use('../../messages/index.ts')],
    ['the outbox imports texts of a screen', 'src/main/outbox/a.ts', use('../../messages/errors.ts')],
    ['the renderer imports main', 'src/renderer/app/a.svelte.ts', use('../../main/compose.ts')],
    ['the renderer imports types of main', 'src/renderer/app/a.svelte.ts', useType('../../main/compose.ts')],
    ['the renderer imports the bridge itself', 'src/renderer/a.ts', use('../preload/bridge.ts')],
    ['the renderer imports preload', 'src/renderer/a.ts', useType('../preload/index.ts')],
    ['the renderer imports Node', 'src/renderer/a.ts', use('node:fs')],
    ['the renderer imports Electron', 'src/renderer/a.ts', use('electron')],
    ['a component imports main', 'src/renderer/A.svelte', `<script lang="ts">${use('../main/compose.ts')}</script>`],
    ['preload imports main', 'src/preload/index.ts', use('../main/compose.ts')],
    ['the contract imports Electron', 'src/preload/bridge.ts', use('electron')],
    ['the outbox imports Electron', 'src/main/outbox/a.ts', use('electron')],
    ['the outbox imports Node', 'src/main/outbox/a.ts', use('node:crypto')],
    ['the outbox imports the storage', 'src/main/outbox/a.ts', useType('../storage/store.ts')],
    ['the outbox imports the service itself', 'src/main/outbox/a.ts', use('../service/client.ts')],
    ['the service imports ipc', 'src/main/service/a.ts', use('../ipc/registrar.ts')],
    ['the storage imports the composition', 'src/main/storage/a.ts', use('../compose.ts')],
    ['the sample service imports the client', 'src/main/sample/a.ts', use('../service/requests.ts')],
    ['the storage imports the bridge', 'src/main/storage/a.ts', useType('../../preload/bridge.ts')],
    ['a connection imports the bridge', 'src/main/connection/a.ts', use('../../preload/bridge.ts')],
    ['the shell imports the renderer', 'src/main/shell/a.ts', use('../../renderer/app/a.ts')],
    ['the composition imports the renderer', 'src/main/compose.ts', use('../renderer/app/a.ts')],
    ['ipc imports a compose-*.ts file', 'src/main/ipc/a.ts', use('../compose-connection.ts')],
    ['a compose-*.ts file imports the raw ipcMain', 'src/main/compose-connection.ts', rawIpc],
    ['a connection imports ipc', 'src/main/connection/a.ts', useType('../ipc/broadcast.ts')],
    ['ipc imports the composition', 'src/main/ipc/a.ts', use('../compose.ts')],
    ['a handler imports the raw ipcMain', 'src/main/ipc/a.ts', rawIpc],
  ])('refuses that %s', async (_, file, code) => {
    expect(await broken(file, code)).toContain(imports)
  })

  it.each([
    ['src/shared imports zod and itself', 'src/shared/a.ts', use('zod') + `export * from './website.ts'\n`],
    ['the renderer imports src/shared', 'src/renderer/app/a.svelte.ts', use('../../shared/website.ts')],
    ['the renderer imports types of the bridge', 'src/renderer/app/a.svelte.ts', useType('../../preload/bridge.ts')],
    ['the renderer imports Svelte', 'src/renderer/a.ts', use('svelte/reactivity')],
    ['the outbox imports src/shared', 'src/main/outbox/steps/a.ts', use('../../../shared/edit.ts')],
    ['the outbox imports types of the service', 'src/main/outbox/a.ts', useType('../service/port.ts')],
    ['the storage imports the outbox', 'src/main/storage/a.ts', use('../outbox/ports.ts')],
    ['the service imports HTTP', 'src/main/service/a.ts', use('ofetch')],
    ['the shell imports Electron', 'src/main/shell/a.ts', use('electron')],
    ['the shell imports Electron when it needs it', 'src/main/shell/a.ts', useLater('electron')],
    ['ipc imports the bridge', 'src/main/ipc/a.ts', use('../../preload/bridge.ts')],
    ['the secrets import keytar when they need it', 'src/main/secrets/a.ts', useLater('keytar')],
    [
      'the outbox reads a time that it was given',
      'src/main/outbox/a.ts',
      `export const a = (b: string) => new Date(b)\n`,
    ],
    ['the composition imports its parts', 'src/main/compose-connection.ts', use('./storage/store.ts')],
    ['the renderer names a type of the bridge', 'src/renderer/a.ts', typeOf('../preload/bridge.ts')],
    ['the registrar imports the raw ipcMain', 'src/main/ipc/registrar.ts', rawIpc],
    [
      'preload imports the raw ipcRenderer',
      'src/preload/index.ts',
      `import { ipcRenderer } from 'electron'\nipcRenderer.send('a')\n`,
    ],
  ])('allows that %s', async (_, file, code) => {
    expect(await broken(file, code)).toEqual([])
  })
})

describe('access without an import', () => {
  it.each([
    ['fetch', 'no-restricted-globals', 'src/renderer/a.ts', `await fetch('/')\n`],
    ['window.fetch', 'no-restricted-properties', 'src/renderer/a.ts', `await window.fetch('/')\n`],
    ['XMLHttpRequest', 'no-restricted-globals', 'src/renderer/a.ts', `export const a = new XMLHttpRequest()\n`],
    ['WebSocket', 'no-restricted-globals', 'src/renderer/a.ts', `export const a = new WebSocket('ws://a')\n`],
    ['localStorage', 'no-restricted-globals', 'src/renderer/a.ts', `localStorage.clear()\n`],
    [
      'fetch in a component',
      'no-restricted-globals',
      'src/renderer/A.svelte',
      `<script lang="ts">\nvoid fetch('/')\n</script>`,
    ],
    [
      'raw markup',
      'svelte/no-at-html-tags',
      'src/renderer/A.svelte',
      `<script lang="ts">let { a }: { a: string } = $props()</script>{@html a}`,
    ],
    [
      'electron.ipcMain',
      'no-restricted-syntax',
      'src/main/shell/a.ts',
      `import electron from 'electron'\nelectron.ipcMain.on('a', () => 1)\n`,
    ],
    [
      'ipcMain from a dynamic import',
      'no-restricted-syntax',
      'src/main/shell/a.ts',
      `const { ipcMain } = await import('electron')\nipcMain.on('a', () => 1)\n`,
    ],
    [
      'electron["ipcMain"]',
      'no-restricted-syntax',
      'src/main/index.ts',
      `import electron from 'electron'\nelectron['ipcMain'].on('a', () => 1)\n`,
    ],
    [
      'electron.ipcRenderer',
      'no-restricted-syntax',
      'src/preload/bridge.ts',
      `export const a = (b: Record<string, unknown>) => b.ipcRenderer\n`,
    ],
  ])('refuses %s', async (_, rule, file, code) => {
    expect(await broken(file, code)).toContain(rule)
  })
})

describe('dynamic imports and imported types', () => {
  it.each([
    ['src/shared imports Electron', 'src/shared/a.ts', useLater('electron')],
    ['the renderer imports Electron', 'src/renderer/a.ts', useLater('electron')],
    ['the contract imports Electron', 'src/preload/bridge.ts', useLater('electron')],
    ['the outbox imports Electron', 'src/main/outbox/a.ts', useLater('electron')],
    ['the outbox imports a part of its own', 'src/main/outbox/a.ts', useLater('./edit.ts')],
    ['the sample service imports Electron', 'src/main/sample/a.ts', useLater('electron')],
    ['the sample service imports Electron for main', 'src/main/sample/a.ts', useLater('electron/main')],
    ...['service', 'storage', 'replica', 'secrets', 'connectivity', 'log', 'connection'].map(
      (folder): [string, string, string] => [
        `${folder} imports Electron`,
        `src/main/${folder}/a.ts`,
        useLater('electron'),
      ],
    ),
    ['the storage imports the renderer', 'src/main/storage/deep/a.ts', useLater('../../../renderer/main.ts')],
    ['the storage imports the composition', 'src/main/storage/a.ts', useLater('../compose.ts')],
    ['an import hides its name', 'src/main/storage/a.ts', `export const y = (name: string) => import(name)\n`],
    ['an import half hides its name', 'src/main/storage/a.ts', 'export const y = await import(`electron`)\n'],
    ['a type of ipc is named without an import statement', 'src/main/storage/a.ts', typeOf('../ipc/registrar.ts')],
    ['the outbox reaches a type of the storage', 'src/main/outbox/a.ts', typeOf('../storage/store.ts')],
  ])('refuses that %s', async (_, file, code) => {
    expect(await broken(file, code)).toContain('no-restricted-syntax')
  })
})

describe('the outbox is pure', () => {
  const globals = [
    'fetch',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'performance',
    'process',
    'crypto',
    'globalThis',
  ]
  it.each([
    ...globals.map((name): [string, string, string] => [name, 'no-restricted-globals', `export const a = ${name}\n`]),
    ['Date.now', 'no-restricted-properties', 'export const a = Date.now()\n'],
    ['now of Date', 'no-restricted-properties', 'const { now } = Date\nexport const a = now()\n'],
    ['Math.random', 'no-restricted-properties', 'export const a = Math.random()\n'],
    ['AbortSignal.timeout', 'no-restricted-properties', 'export const a = AbortSignal.timeout(5)\n'],
    ['the date of today', 'no-restricted-syntax', 'export const a = new Date()\n'],
    ['the date of today, as a text', 'no-restricted-syntax', 'export const a = Date()\n'],
  ])('refuses %s', async (_, rule, code) => {
    expect(await broken('src/main/outbox/steps/a.ts', code)).toContain(rule)
  })
})
