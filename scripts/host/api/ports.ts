import type { IpcMain } from './ipc-main.ts'
import type { App } from './app.ts'
import type { Session } from './session.ts'

/** The single objects of the `electron` module that windows speak to. */
export interface Singles {
  app: App
  ipcMain: IpcMain
  session: Session
  /** nativeTheme.shouldUseDarkColors */
  isDark: () => boolean
}

let singles: Singles | undefined

export const setSingles = (made: Singles): void => void (singles = made)

export function singlesOf(): Singles {
  if (singles === undefined) throw new Error('the electron module is not made yet')
  return singles
}
