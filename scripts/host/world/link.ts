import type { Session } from '../chromium/connection.ts'
import type { Protocol } from '../chromium/protocol.ts'
import { createCodec } from './codec.ts'
import type { Downward, Upward } from './preload.ts'
import { FROM_NODE, pageScript, preloadScript, TO_NODE, WORLD } from './scripts.ts'

type Context = Protocol.Runtime.ExecutionContextDescription

const codec = createCodec()

/** Node's end of the preload's world of one page, over reloads and navigations. */
export class PreloadLink {
  readonly #session: Session
  readonly #mainFrame: string
  readonly #receive: (message: Upward, reply: (answer: Downward) => void) => void
  #context: Context | null = null

  constructor(
    session: Session,
    mainFrame: string,
    receive: (message: Upward, reply: (answer: Downward) => void) => void,
  ) {
    this.#session = session
    this.#mainFrame = mainFrame
    this.#receive = receive
  }

  /** Before the first page is loaded. */
  async install(preload: { code: string; file: string }): Promise<void> {
    const session = this.#session
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId: string }
      if (context.name === WORLD && frameId === this.#mainFrame) this.#context = context
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      if (this.#context?.uniqueId === executionContextUniqueId) this.#context = null
    })
    session.on('Runtime.executionContextsCleared', () => (this.#context = null))
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === TO_NODE && executionContextId === this.#context?.id) this.#take(payload, this.#context)
    })
    await Promise.all([
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: TO_NODE, executionContextName: WORLD }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript() }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: preloadScript(preload.code, preload.file),
        worldName: WORLD,
      }),
    ])
  }

  /** Throws what can't be cloned, as webContents.send does. A page that isn't there hears nothing. */
  send(channel: string, args: unknown[]): void {
    const text = codec.pack({ kind: 'event', channel, args } satisfies Downward)
    if (this.#context !== null) this.#deliver(this.#context, text)
  }

  #take(payload: string, from: Context): void {
    this.#receive(codec.unpack(payload) as Upward, (answer) => {
      // An answer goes to the document that asked, or nowhere.
      if (this.#context?.uniqueId === from.uniqueId) this.#deliver(from, codec.pack(answer))
    })
  }

  #deliver(context: Context, text: string): void {
    this.#session.tell('Runtime.callFunctionOn', {
      uniqueContextId: context.uniqueId,
      functionDeclaration: `(text) => globalThis.${FROM_NODE}(text)`,
      arguments: [{ value: text }],
    })
  }
}
