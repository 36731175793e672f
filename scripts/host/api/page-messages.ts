import { runtime } from '../runtime.ts'
import type { Downward, Upward } from '../world/preload.ts'
import { singlesOf } from './ports.ts'
import type { WebContents } from './web-contents.ts'

export interface OpenDetails {
  url: string
  frameName: string
  features: string
  disposition: string
}

interface Sender {
  contents: WebContents
  close: () => void
  open: (details: OpenDetails) => void
  titled: (title: string) => void
}

/** What the preload's world of a page says: ipcRenderer's messages, and the page's window.open and window.close. */
export async function receive(sender: Sender, message: Upward, reply: (answer: Downward) => void): Promise<void> {
  const { contents } = sender
  const { ipcMain } = singlesOf()
  switch (message.kind) {
    case 'open':
      return sender.open(openDetails(message.url, message.frameName, message.features))
    case 'close':
      return sender.close()
    case 'title':
      return sender.titled(message.title)
    case 'send':
      ipcMain.emit(message.channel, { ...eventOf(contents), reply: contents.send.bind(contents) }, ...message.args)
      contents.emit('ipc-message', eventOf(contents), message.channel, ...message.args)
      return
    case 'invoke': {
      const { id, channel, args } = message
      try {
        reply({ kind: 'result', id, value: await ipcMain.answer(channel, eventOf(contents), args) })
      } catch (error) {
        reply({ kind: 'failure', id, message: `Error invoking remote method '${channel}': ${String(error)}` })
      }
    }
  }
}

export function openDetails(url: string, target: string, features: string): OpenDetails {
  const frameName = /^_blank$/i.test(target) ? '' : target
  const disposition = features === '' ? 'foreground-tab' : 'new-window'
  return { url: runtime().addresses.toApp(url), frameName, features, disposition }
}

const eventOf = (contents: WebContents): Record<string, unknown> => ({
  type: 'frame',
  sender: contents,
  senderFrame: contents.mainFrame,
  frameId: contents.mainFrame.routingId,
  processId: contents.mainFrame.processId,
  ports: [],
})
