// @ts-check
import { existsSync } from 'node:fs'
import { run } from '../run.mjs'
import { inProject, npm } from './project.mjs'

const folder = inProject('test', 'peers')

/** The libraries that ours is held against are no part of the project: they are fetched when they're wanted. */
export async function installPeers() {
  if (existsSync(inProject('test', 'peers', 'node_modules', '.package-lock.json'))) return 0
  const { command, args, shell, env } = npm()
  return run(command, [...args, 'ci', '--no-audit', '--no-fund'], { cwd: folder, shell, env })
}
