import { runtime } from '../runtime.ts'
import { StrictEmitter } from '../strict.ts'
import type { Menu } from './menu.ts'
import { imageOf, type NativeImage } from './native-image.ts'

/** Draws nothing: says what it would show. A test emits `click` and the like itself. */
export class Tray extends StrictEmitter {
  static override readonly apiName = 'Tray'
  static override readonly events = [
    ...['click', 'right-click', 'double-click', 'middle-click', 'mouse-enter', 'mouse-leave', 'mouse-move'],
    ...['balloon-show', 'balloon-click', 'balloon-closed', 'drop', 'drop-files', 'drop-text'],
  ]
  image: NativeImage
  toolTip = ''
  title = ''
  menu: Menu | null = null
  #destroyed = false

  constructor(image: NativeImage | string) {
    super()
    this.image = imageOf(image)
    runtime().controls.trays.push(this)
  }

  setImage(image: NativeImage | string): void {
    this.image = imageOf(image)
  }

  setPressedImage(): void {}

  setToolTip(toolTip: string): void {
    this.toolTip = toolTip
  }

  setTitle(title: string): void {
    this.title = title
  }

  getTitle(): string {
    return this.title
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu
  }

  popUpContextMenu(menu?: Menu): void {
    ;(menu ?? this.menu)?.popup()
  }

  setIgnoreDoubleClickEvents(): void {}

  getBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 0, y: 0, width: 0, height: 0 }
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  destroy(): void {
    this.#destroyed = true
    const { trays } = runtime().controls
    trays.splice(trays.indexOf(this), 1)
  }
}
