import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectNode } from '../../../scripts/setup/project.mjs'
import { capture } from '../../../scripts/test/capture.mjs'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { startXvfb } from '../../../scripts/xvfb.mjs'

const here = { cwd: process.cwd(), env: process.env }

/** Returns a program that runs another one as `npm start` runs the app. */
const standIn = (...command: string[]) => {
  const code = `
    import { run } from './scripts/run.mjs'
    process.exitCode = await run(process.argv[1], process.argv.slice(2))`
  const args = ['--input-type=module', '-e', code, ...command]
  return spawn(projectNode, args, { cwd: process.cwd(), stdio: ['pipe', 'pipe', 'inherit'] })
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a script that runs the app as its child', () => {
  it('returns the exit code of the app', async () => {
    const [code] = await once(standIn(projectNode, '-e', 'process.exit(7)'), 'close')
    expect(code).toBe(7)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'passes %s on to the app, and waits until the app has ended',
    async (signal) => {
      const app = `process.on('${signal}', () => { process.stdout.write('ended well'); process.exit(3) })
      setInterval(() => {}, 1000); process.stdout.write('ready')`
      const child = standIn(projectNode, '-e', app)
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (text.includes('ready')) child.kill(signal)
      })
      const [code] = await once(child, 'close')
      expect({ code, output }).toEqual({ code: 3, output: 'readyended well' })
    },
  )

  it('ends the app when npm’s shell is ended, although the shell passes no signal on', async () => {
    const app = `process.on('SIGTERM', () => { process.stdout.write(' ended well'); process.exit() })
      setInterval(() => {}, 1000); process.stdout.write('ready')`
    const code = `import { run } from './scripts/run.mjs'; await run(process.argv[1], process.argv.slice(2))`
    const script = `"$0" --input-type=module -e "$1" "$0" -e "$2"; true`
    const shell = spawn('sh', ['-c', script, projectNode, code, app], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output === 'ready') shell.kill('SIGTERM')
    })
    await once(shell.stdout, 'close')
    expect(output).toBe('ready ended well')
  })

  it('exits with 128 plus the number of the signal that ended the child, as shells do', async () => {
    const [code] = await once(standIn(projectNode, '-e', `process.kill(process.pid, 'SIGKILL')`), 'close')
    expect(code).toBe(137)
  })
})

describe('a part of the test run', () => {
  it('returns its exit code and all that it has printed on stdout and stderr', async () => {
    const code = `console.log('out'); console.error('err'); process.exit(4)`
    const { exitCode, output } = await capture(projectNode, ['-e', code], here)
    expect(exitCode).toBe(4)
    expect(output.split('\n').filter(Boolean).sort()).toEqual(['err', 'out'])
  })
})

describe.runIf(process.platform === 'linux')('a keychain that is started for the tests', () => {
  const secretTool = (env: Record<string, string>, args: string[], input?: string): string => {
    try {
      return execFileSync('secret-tool', args, { env: { ...process.env, ...env }, input, encoding: 'utf8' })
    } catch {
      return 'nothing'
    }
  }

  it('stores a secret that another keychain for the tests does not contain, and is removed afterwards', async () => {
    const [first, second] = [await startKeyring(), await startKeyring()]
    secretTool(first.env, ['store', '--label=a', 'service', 's'], 'kept')
    expect(secretTool(first.env, ['lookup', 'service', 's'])).toBe('kept')
    expect(secretTool(second.env, ['lookup', 'service', 's'])).toBe('nothing')
    await first.stop()
    await second.stop()
    expect(existsSync(first.env['XDG_DATA_HOME'] ?? '')).toBe(false)
    expect(isAlive(Number(first.env['KEYRING_PID']))).toBe(false)
  })
})

describe.runIf(process.platform === 'linux')('a display that is started for the tests', () => {
  it('accepts clients beside another display, and is removed afterwards', async () => {
    const [first, second] = [await startXvfb(), await startXvfb()]
    const sockets = [first, second].map(({ env }) => `/tmp/.X11-unix/X${env.DISPLAY.slice(1)}`)
    expect(new Set(sockets).size).toBe(2)
    expect(sockets.map((socket) => existsSync(socket))).toEqual([true, true])
    await first.stop()
    await second.stop()
    expect(sockets.map((socket) => existsSync(socket))).toEqual([false, false])
  })
})
