import { ESLint } from 'eslint'
import { describe, expect, it } from 'vitest'

const eslint = new ESLint({ cwd: process.cwd() })

/** The rules that a file with this content breaks. */
const broken = async (filePath: string, code: string): Promise<(string | null)[]> => {
  const [result] = await eslint.lintText(code, { filePath })
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message)
}

const imports = '@typescript-eslint/no-restricted-imports'
const use = (from: string): string => `import { x } from '${from}'\nexport const y = x\n`
const useType = (from: string): string => `import type { X } from '${from}'\nexport type Y = X\n`

describe('import zones', () => {
  it.each([
    ['the shared imports Node', 'src/shared/a.ts', use('node:fs')],
    ['the shared imports main', 'src/shared/a.ts', use('../main/service/form.ts')],
    ['the renderer imports main', 'src/renderer/state/a.svelte.ts', use('../../main/compose.ts')],
    ['the renderer imports types of main', 'src/renderer/state/a.svelte.ts', useType('../../main/compose.ts')],
    ['the renderer imports the bridge itself', 'src/renderer/a.ts', use('../preload/bridge.ts')],
    ['the renderer imports preload', 'src/renderer/a.ts', useType('../preload/index.ts')],
    ['the renderer imports Node', 'src/renderer/a.ts', use('node:fs')],
    ['the renderer imports Electron', 'src/renderer/a.ts', use('electron')],
    ['the renderer imports an HTTP library', 'src/renderer/a.ts', use('ofetch')],
    ['a component imports main', 'src/renderer/A.svelte', `<script lang="ts">${use('../main/compose.ts')}</script>`],
    ['preload imports main', 'src/preload/index.ts', use('../main/compose.ts')],
    ['the contract imports Electron', 'src/preload/bridge.ts', use('electron')],
    ['the outbox imports Electron', 'src/main/outbox/a.ts', use('electron')],
    ['the outbox imports Node', 'src/main/outbox/a.ts', use('node:crypto')],
    ['the outbox imports HTTP', 'src/main/outbox/a.ts', use('undici')],
    ['the outbox imports the database', 'src/main/outbox/a.ts', use('better-sqlite3')],
    ['the outbox imports the storage', 'src/main/outbox/a.ts', useType('../storage/store.ts')],
    ['the outbox imports the service itself', 'src/main/outbox/a.ts', use('../service/client.ts')],
    ['the service imports Electron', 'src/main/service/a.ts', use('electron')],
    ['the service imports ipc', 'src/main/service/a.ts', use('../ipc/registrar.ts')],
    ['the storage imports the composition', 'src/main/storage/a.ts', use('../compose.ts')],
    ['the sample service imports the client', 'src/main/sample/a.ts', use('../service/form.ts')],
    ['a connection imports ipc', 'src/main/connection/a.ts', useType('../ipc/broadcast.ts')],
    ['ipc imports the composition', 'src/main/ipc/a.ts', use('../compose.ts')],
    [
      'a handler imports the raw ipcMain',
      'src/main/ipc/a.ts',
      `import { ipcMain } from 'electron'\nipcMain.on('a', () => 1)\n`,
    ],
    [
      'the start imports the raw ipcMain',
      'src/main/index.ts',
      `import { ipcMain } from 'electron'\nipcMain.on('a', () => 1)\n`,
    ],
  ])('refuses that %s', async (_, file, code) => {
    expect(await broken(file, code)).toContain(imports)
  })

  it.each([
    ['the shared imports zod and itself', 'src/shared/a.ts', use('zod') + `export * from './website.ts'\n`],
    ['the renderer imports the shared', 'src/renderer/state/a.svelte.ts', use('../../shared/website.ts')],
    ['the renderer imports types of the bridge', 'src/renderer/state/a.svelte.ts', useType('../../preload/bridge.ts')],
    ['the renderer imports Svelte', 'src/renderer/a.ts', use('svelte/reactivity')],
    ['the outbox imports the shared', 'src/main/outbox/steps/a.ts', use('../../../shared/edit.ts')],
    ['the outbox imports types of the service', 'src/main/outbox/a.ts', useType('../service/port.ts')],
    ['the storage imports the outbox', 'src/main/storage/a.ts', use('../outbox/ports.ts')],
    ['the service imports HTTP', 'src/main/service/a.ts', use('undici')],
    ['the shell imports Electron', 'src/main/shell/a.ts', use('electron')],
    [
      'the registrar imports the raw ipcMain',
      'src/main/ipc/registrar.ts',
      `import { ipcMain } from 'electron'\nipcMain.on('a', () => 1)\n`,
    ],
    [
      'preload imports the raw ipcRenderer',
      'src/preload/index.ts',
      `import { ipcRenderer } from 'electron'\nipcRenderer.send('a')\n`,
    ],
  ])('allows that %s', async (_, file, code) => {
    expect(await broken(file, code)).toEqual([])
  })
})

describe('what is reached without an import', () => {
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
      'electron.ipcRenderer',
      'no-restricted-syntax',
      'src/preload/bridge.ts',
      `export const a = (b: Record<string, unknown>) => b.ipcRenderer\n`,
    ],
  ])('refuses %s', async (_, rule, file, code) => {
    expect(await broken(file, code)).toContain(rule)
  })
})
