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
}

/** What the preload's world of a page says: ipcRenderer's messages, and the page's window.open and window.close. */
export async function receive(sender: Sender, message: Upward, reply: (answer: Downward) => void): Promise<void> {
  const { contents } = sender
  const { ipcMain } = singlesOf()
  switch (message.kind) {
    case 'open': {
      const { url, frameName, features } = message
      const disposition = features === '' ? 'foreground-tab' : 'new-window'
      return sender.open({ url, frameName, features, disposition })
    }
    case 'close':
      return sender.close()
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

const eventOf = (contents: WebContents): Record<string, unknown> => ({
  type: 'frame',
  sender: contents,
  senderFrame: contents.mainFrame,
  frameId: contents.mainFrame.routingId,
  processId: contents.mainFrame.processId,
  ports: [],
})
