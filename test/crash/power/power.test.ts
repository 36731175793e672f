import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { bundleChild } from '../bundle.ts'
import type { Program } from '../life.ts'
import { runPower } from './power-cuts.ts'
import { buildRecorder, canRecord } from './recorder.ts'

const LIMIT_MS = 240_000

// Without a C compiler, this test is skipped. `npm run prove:crash` installs one.
describe.runIf(canRecord())('a power cut', () => {
  let program: Program
  let folder: string
  let recorder: string
  let keyring: Awaited<ReturnType<typeof startKeyring>>

  beforeAll(async () => {
    keyring = await startKeyring()
    Object.assign(process.env, keyring.env)
    folder = mkdtempSync(join(tmpdir(), 'siteward-recorder-'))
    recorder = buildRecorder(folder)
    program = { node: process.execPath, bundle: await bundleChild() }
  }, LIMIT_MS)

  afterAll(async () => {
    rmSync(dirname(program.bundle), { recursive: true })
    rmSync(folder, { recursive: true })
    await keyring.stop()
  })

  test(
    'loses no acknowledged edit, whenever the power is cut and whichever part of the last writes is lost',
    async () => {
      const story = await runPower({ program, recorder, seed: 1, cuts: 8, commands: 25 })
      expect(story).toMatchObject({ cuts: 8, findings: [], leaks: [] })
      expect(story.taken).toBeGreaterThan(0)
    },
    LIMIT_MS,
  )

  test.each(['sync-off', 'sync-normal'] as const)(
    'loses edits if commits are not synced, which the test notices: %s',
    async (weakness) => {
      const story = await runPower({ program, recorder, seed: 1, cuts: 16, commands: 40, weakness })
      expect(story.findings.map(({ kind }) => kind)).toContain('lost')
    },
    LIMIT_MS,
  )
})
