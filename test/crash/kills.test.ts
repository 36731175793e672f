import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { bundleChild } from './bundle.ts'
import { seeded } from './host/records.ts'
import { runChain } from './kill-chain.ts'
import { ledger } from './ledger.ts'
import type { Program } from './life.ts'
import { steps } from './protocol.ts'
import { judge } from './verdict.ts'

const LIMIT_MS = 240_000

let program: Program
let keyring: Awaited<ReturnType<typeof startKeyring>>

test('the judge reports an activity entry about a website of another account', () => {
  const [first, second] = [seeded(1, 'first'), seeded(1, 'second')]
  const domains = [...first.all(), ...second.all()].map(({ domain }) => domain)
  expect(judge(ledger(), first, first.all(), [], domains)).toMatchObject([{ kind: 'wrong', domain: domains[1] }])
})

// Only on Linux can a test have a keychain of its own.
describe.runIf(process.platform === 'linux')('a process that is killed', () => {
  beforeAll(async () => {
    keyring = await startKeyring()
    Object.assign(process.env, keyring.env)
    program = { node: process.execPath, bundle: await bundleChild() }
  }, LIMIT_MS)

  afterAll(async () => {
    rmSync(dirname(program.bundle), { recursive: true })
    await keyring.stop()
  })

  test(
    'at each step in turn keeps each acknowledged edit once on the service, and leaves no secret behind',
    async () => {
      const chain = await runChain({ program, seed: 1, at: steps, kills: steps.length })
      expect(chain).toMatchObject({ kills: steps.length, findings: [], leaks: [] })
      expect(chain.taken).toBeGreaterThan(0)
    },
    LIMIT_MS,
  )

  test(
    'at random times, even during its start, loses and duplicates no edit',
    async () => {
      const chain = await runChain({ program, seed: 2, at: ['random'], kills: 8 })
      expect(chain).toMatchObject({ findings: [], leaks: [] })
      expect(chain.taken).toBeGreaterThan(0)
    },
    LIMIT_MS,
  )

  // The tests must notice these deliberate bugs. Otherwise, they prove nothing.
  test(
    'is found to lose an edit if it acknowledges the edit before it is on disk',
    async () => {
      const chain = await runChain({ program, seed: 3, at: ['enqueue-uncommitted'], kills: 3, weakness: 'told-early' })
      expect(chain.findings.map(({ kind }) => kind)).toContain('lost')
    },
    LIMIT_MS,
  )

  test(
    'is found to apply an edit twice if it sends the edit before marking it as sending on disk',
    async () => {
      const chain = await runChain({ program, seed: 1, at: ['carried-out'], kills: 5, weakness: 'sending-late' })
      expect(chain.findings.map(({ kind }) => kind)).toContain('doubled')
    },
    LIMIT_MS,
  )

  test(
    'is found to leak a password if it stores the password unencrypted',
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
    LIMIT_MS,
  )
})
