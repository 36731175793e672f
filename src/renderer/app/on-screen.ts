import type { Screen } from '../../shared/destination.ts'

export type Run = () => void

/** Done on a screen, which may only be drawn now. */
export const onScreen =
  (desk: { screen: Screen }, screen: Screen, does?: Run): Run =>
  () => {
    desk.screen = screen
    does?.()
  }
