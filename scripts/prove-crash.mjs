// @ts-check
/**
 * `npm run prove:crash`: the real process is killed at each step of an edit's way and at random times, and the power
 * goes under it; then what was promised is compared with what the service has (docs/proof.md, "Crash and power loss").
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { run } from './run.mjs'
import { announceRuntime } from './runtime.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, projectNode, root } from './setup/project.mjs'

const USAGE = `npm run prove:crash -- [--kills N] [--random N] [--power N] [--seed S] [--only PART,…] [--break NAME]

  --kills    SIGKILLs at each step; default 200
  --random   SIGKILLs at random times; default 1000
  --power    losses of power; default 1000, 0 where there is no gcc for Linux
  --seed     a whole number; without it a new one, which is printed
  --only     these parts alone: power, random, and the steps, by name; with --story S one story of theirs
  --break    breaks a promise on purpose, and has to find it: told-early, sending-late, sync-off, sync-normal,
             password-in-clear`

const given = () => {
  try {
    const options = /** @type {const} */ ({
      kills: { type: 'string', default: '200' },
      random: { type: 'string', default: '1000' },
      power: { type: 'string', default: '1000' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      story: { type: 'string', default: '' },
      only: { type: 'string', default: '' },
      break: { type: 'string', default: '' },
    })
    const { values } = parseArgs({ options })
    const numbers = [values.kills, values.random, values.power, values.seed, values.story || '0']
    return numbers.every((text) => /^\d{1,10}$/.test(text)) ? values : undefined
  } catch {
    return undefined
  }
}

const wanted = given()
if (wanted === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  await runScript(async () => {
    const parts = wanted.only === '' ? ['power'] : wanted.only.split(',')
    const losesPower = parts.includes('power') && wanted.power !== '0'
    await setup({ need: losesPower ? ['test', 'power'] : ['test'] })
    await announceRuntime()
    process.exitCode = await run(projectNode, [inProject('test', 'crash', 'prove.ts'), JSON.stringify(wanted)], {
      cwd: root,
    })
  })
}
