import { Menu, Tray } from 'electron'
import { join } from 'node:path'
import type { AppState } from '../../shared/state.ts'

/** What the tray shows; the words are for people. */
export type TrayState = { kind: 'idle' } | { kind: 'pending' | 'offline' | 'attention'; count: number }

export interface TrayIcon {
  render(state: TrayState): void
}

/** State in, one render out: the same state twice draws nothing. */
export function createTray(resources: string, actions: { open: () => void; quit: () => void }): TrayIcon {
  const image = (kind: TrayState['kind']): string => join(resources, 'tray', `${kind}.png`)
  const tray = new Tray(image('idle'))
  tray.setToolTip(words({ kind: 'idle' }))
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Open', click: actions.open },
      { type: 'separator' },
      { label: 'Quit', click: actions.quit },
    ]),
  )
  tray.on('click', actions.open)
  let shown: TrayState = { kind: 'idle' }

  return {
    render(state) {
      if (state.kind !== shown.kind) tray.setImage(image(state.kind))
      if (words(state) !== words(shown)) tray.setToolTip(words(state))
      shown = state
    },
  }
}

/** What the tray has to tell of the whole: what needs the person goes before what only waits. */
export function trayState({ connection, reach, waiting, parked }: AppState): TrayState {
  if (parked > 0) return { kind: 'attention', count: parked }
  if (connection !== null && reach.state === 'offline') return { kind: 'offline', count: waiting }
  return waiting > 0 ? { kind: 'pending', count: waiting } : { kind: 'idle' }
}

function words(state: TrayState): string {
  if (state.kind === 'idle') return 'Siteward'
  const changes = state.count === 1 ? '1 change' : `${state.count} changes`
  if (state.kind === 'attention') return `Siteward: ${changes} ${state.count === 1 ? 'needs' : 'need'} you`
  if (state.kind === 'pending') return `Siteward: ${changes} waiting`
  return state.count === 0 ? 'Siteward: offline' : `Siteward: offline, ${changes} waiting`
}
