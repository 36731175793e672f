import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'

const script = fileURLToPath(new URL('../../../scripts/sample-service.mjs', import.meta.url))

/** `prints` resolves to the first match of a pattern in the output, and `ends` when the command ends. */
function command(...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGTERM'))
  let printed = ''
  const waiting = new Map<RegExp, (found: string) => void>()
  const hear = (chunk: Buffer): void => {
    printed += chunk.toString()
    for (const [pattern, found] of waiting) {
      const match = pattern.exec(printed)
      if (match !== null) found(match[1] ?? '')
    }
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return {
    prints: (pattern: RegExp) => new Promise<string>((found) => waiting.set(pattern, found)),
    ends: new Promise<{ code: number | null; printed: string }>((end) => {
      child.on('close', (code) => end({ code, printed }))
    }),
    interrupt: () => child.kill('SIGINT'),
  }
}

describe('npm run sample-service', () => {
  test('prints its address and key, and serves until it is interrupted', async () => {
    const running = command('--websites', '3', '--rate', '0')
    const [address, key] = await Promise.all([running.prints(/address: (\S+)\n/), running.prints(/key: (\S+)\n/)])
    const headers = { Accept: 'application/json', Authorization: `Bearer ${key}` }
    const response = await fetch(`${address}/api/v1/websites`, { headers })
    expect(await response.json()).toMatchObject({ meta: { total: 3 } })
    running.interrupt()
    expect((await running.ends).code).toBe(0)
  })

  test('keeps its key and its data over a restart, if --key and --file are given', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sample-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const headers = { Accept: 'application/json', Authorization: 'Bearer kept' }
    for (const request of [{ method: 'POST', body: new URLSearchParams({ domain: 'kept.example' }) }, {}]) {
      const running = command('--websites', '3', '--key', 'kept', '--file', join(folder, 'data.jsonl'))
      const address = await running.prints(/address: (\S+)\n/)
      const response = await fetch(`${address}/api/v1/websites`, { headers, ...request })
      expect(await response.text()).toContain('kept.example')
      running.interrupt()
      await running.ends
    }
  })

  test.each([
    [['--websites', '100001'], '--websites takes a whole number from 0 to 100000, not "100001".'],
    [['--port', 'http'], '--port takes a whole number from 0 to 65535, not "http".'],
    [['--speed', '3'], '--speed'],
  ])('%j is refused with the correct usage', async (args, text) => {
    const { code, printed } = await command(...args).ends
    expect(code).toBe(2)
    expect(printed).toContain(text)
    expect(printed).toContain('npm run sample-service --')
  })
})
