import type { Screen } from '../../shared/destination.ts'

export type Run = () => void

/** Returns a function that shows a screen and then runs `action`, if given. */
export const actionOnScreen =
  (app: { screen: Screen }, screen: Screen, action?: Run): Run =>
  () => {
    app.screen = screen
    action?.()
  }
