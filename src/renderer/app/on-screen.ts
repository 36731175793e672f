import type { Screen } from '../../shared/destination.ts'

export type Run = () => void

/** Returns a function that shows a screen and then runs `does`. */
export const actionOnScreen =
  (app: { screen: Screen }, screen: Screen, does?: Run): Run =>
  () => {
    app.screen = screen
    does?.()
  }
