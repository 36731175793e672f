import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

export interface SecondInstance {
  argv: string[]
  cwd: string
  data: unknown
}

/** How long a second instance waits for the first one to hear it, in milliseconds. */
const PATIENCE = 5000

const TELL = `
  const socket = require('node:net').connect('\\0' + process.argv[1])
  process.stdin.pipe(socket)
  socket.on('data', () => process.exit(0)).on('error', () => process.exit(1))`

/**
 * The lock is an abstract socket named by the data folder: binding it is atomic, and the kernel frees it when the
 * holder dies, however it does.
 */
export class SingleInstanceLock {
  #server: Server | null = null

  get held(): boolean {
    return this.#server !== null
  }

  /** Synchronous, as Electron's. Where another process has the lock, that one is told of this. */
  request(folder: string, own: SecondInstance, onSecond: (second: SecondInstance) => void): boolean {
    if (this.held) return true
    const name = lockName(folder)
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let text = ''
      socket.setEncoding('utf8')
      socket.on('error', () => undefined)
      socket.on('data', (part: string) => (text += part))
      socket.on('end', () => {
        socket.end('heard')
        onSecond(JSON.parse(text) as SecondInstance)
      })
    })
    server.on('error', () => undefined)
    server.listen(`\0${name}`) // binds before it returns
    if (server.listening) {
      server.unref()
      this.#server = server
      return true
    }
    const input = JSON.stringify(own)
    spawnSync(process.execPath, ['-e', TELL, name], { input, timeout: PATIENCE, stdio: ['pipe', 'ignore', 'ignore'] })
    return false
  }

  release(): void {
    this.#server?.close()
    this.#server = null
  }
}

function lockName(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const digest = createHash('sha256').update(realpathSync(folder)).digest('hex')
  return `electron-host-${process.getuid?.() ?? 0}-${digest.slice(0, 32)}`
}
