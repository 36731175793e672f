import { runtime } from '../runtime.ts'
import { hostEvent } from '../strict.ts'
import type { NativeWindow } from '../window/native-window.ts'
import { singlesOf } from './ports.ts'
import type { WebContents } from './web-contents.ts'

export interface PageState {
  url: string
  title: string
  loading: boolean
  crashed: boolean
}

/** Keeps what is known of a page, and emits the events of its webContents. */
export function followPage(native: NativeWindow, page: PageState, contents: WebContents): void {
  const { session, targetId } = native
  const { addresses } = runtime()
  const emit = (event: string, ...args: unknown[]): void => void contents.emit(event, hostEvent(), ...args)

  session.on('Page.frameStartedLoading', ({ frameId }) => {
    if (frameId !== targetId) return
    page.loading = true
    emit('did-start-loading')
  })
  session.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId !== targetId) return
    page.loading = false
    emit('did-stop-loading')
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== targetId) return
    page.url = addresses.toApp(frame.url + (frame.urlFragment ?? ''))
    page.crashed = false
    emit('did-navigate', page.url, 200, 'OK')
  })
  session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId !== targetId) return
    page.url = addresses.toApp(url)
    emit('did-navigate-in-page', page.url, true)
  })
  session.on('Page.domContentEventFired', () => emit('dom-ready'))
  session.on('Page.loadEventFired', () => emit('did-finish-load'))
  native.on('crashed', () => {
    page.crashed = true
    const details = { reason: 'crashed', exitCode: 1 }
    emit('render-process-gone', details)
    singlesOf().app.emit('render-process-gone', hostEvent(), contents, details)
  })
}
