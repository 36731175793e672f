import type { ElectronApplication, Frame } from '@playwright/test'
import { join } from 'node:path'

const preload = join(import.meta.dirname, 'forger-preload.cjs')

/**
 * Lets every frame of later windows send any message to main from any address: preload scripts run in frames too, and
 * the app's rules for navigation and requests are off.
 */
export const openToForgers = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ app, protocol, session }, file) => {
    // Sets an option of every window whose creator doesn't set it.
    Object.defineProperty(Object.prototype, 'nodeIntegrationInSubFrames', { value: true, configurable: true })
    const own = session.defaultSession
    if ('registerPreloadScript' in own) own.registerPreloadScript({ type: 'frame', filePath: file })
    else (own as { setPreloads(files: string[]): void }).setPreloads([file])
    own.webRequest.onBeforeRequest(null)
    app.on('browser-window-created', (_event, { webContents }) => {
      webContents.removeAllListeners('will-frame-navigate')
      webContents.once('did-finish-load', () => {
        delete (Object.prototype as { nodeIntegrationInSubFrames?: boolean }).nodeIntegrationInSubFrames
        protocol.unhandle('app')
        for (const scheme of ['app', 'https'])
          protocol.handle(scheme, () => new Response('<p>', { headers: { 'content-type': 'text/html' } }))
      })
    })
  }, preload)

/** Sends a message from a frame. Returns `answered`, or the error code of the answer, or the text of the error that is thrown. */
export const forge = (frame: Frame, channel: string, ...values: unknown[]): Promise<string> =>
  frame.evaluate(
    ([to, sent]) =>
      (window as unknown as { forge: (channel: string, ...values: unknown[]) => Promise<Answer> })
        .forge(to, ...sent)
        .then(({ ok, error }) => (ok ? 'answered' : (error?.code ?? 'nothing')), String),
    [channel, values] as const,
  )

type Answer = { ok: boolean; error?: { code: string } }
