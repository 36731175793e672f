import type { Screen } from '../../shared/destination.ts'

export type Run = () => void

export const actionOnScreen =
  (app: { screen: Screen }, screen: Screen, does?: Run): Run =>
  () => {
    app.screen = screen
    does?.()
  }
