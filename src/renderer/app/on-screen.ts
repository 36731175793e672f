import type { Screen } from '../../shared/destination.ts'

export type Run = () => void

/** Done on a screen, which may only be drawn now. */
export const onScreen =
  (app: { screen: Screen }, screen: Screen, does?: Run): Run =>
  () => {
    app.screen = screen
    does?.()
  }
