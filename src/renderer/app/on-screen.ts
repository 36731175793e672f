import type { Screen } from '../../shared/destination.ts'
import type { Model } from './model.svelte.ts'

export type Run = () => void

/** Done on a screen, which may only be drawn now. */
export const onScreen =
  (desk: Model, screen: Screen, does?: Run): Run =>
  () => {
    desk.screen = screen
    does?.()
  }
