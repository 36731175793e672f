import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { bundleChild } from './bundle.ts'
import { runChain } from './kill-chain.ts'
import type { Program } from './life.ts'
import { steps } from './protocol.ts'

/** Dozens of processes are started one after another; a slow machine may take its time. */
const LIMIT = 240_000

let program: Program
let keyring: Awaited<ReturnType<typeof startKeyring>>

// The keychain is Linux' own.
describe.runIf(process.platform === 'linux')('an end by force', () => {
  beforeAll(async () => {
    keyring = await startKeyring()
    Object.assign(process.env, keyring.env)
    program = { node: process.execPath, bundle: await bundleChild() }
  }, LIMIT)

  afterAll(async () => {
    rmSync(dirname(program.bundle), { recursive: true })
    await keyring.stop()
  })

  test(
    'killed at each step in turn, what was promised is with the service once, and no secret is left behind',
    async () => {
      const chain = await runChain({ program, seed: 1, at: steps, kills: steps.length })
      expect(chain).toMatchObject({ kills: steps.length, findings: [], leaks: [] })
      expect(chain.taken).toBeGreaterThan(0)
    },
    LIMIT,
  )

  test(
    'killed at any time, start-up included, it loses and doubles nothing',
    async () => {
      const chain = await runChain({ program, seed: 2, at: ['random'], kills: 8 })
      expect(chain).toMatchObject({ findings: [], leaks: [] })
    },
    LIMIT,
  )

  // What is broken on purpose has to show, or the tests above say nothing.
  test(
    'a promise that is made before the edit is on disk is found',
    async () => {
      const chain = await runChain({ program, seed: 3, at: ['enqueue-uncommitted'], kills: 3, weakness: 'told-early' })
      expect(chain.findings.map(({ what }) => what)).toContain('lost')
    },
    LIMIT,
  )

  test(
    'an edit that is sent before "sending" is on disk is found',
    async () => {
      const chain = await runChain({ program, seed: 1, at: ['carried-out'], kills: 5, weakness: 'sending-late' })
      expect(chain.findings.map(({ what }) => what)).toContain('doubled')
    },
    LIMIT,
  )

  test(
    'a password that is kept in the clear is found',
    async () => {
      const chain = await runChain({
        program,
        seed: 2,
        at: ['before-first-byte'],
        kills: 3,
        weakness: 'password-in-clear',
      })
      expect(chain.leaks.map(({ way }) => way)).toContain('plain')
    },
    LIMIT,
  )
})
