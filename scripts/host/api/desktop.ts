import { runtime } from '../runtime.ts'
import { hostEvent, strict, StrictEmitter } from '../strict.ts'
import { windows } from './windows.ts'

/** Opens nothing: says what it was given. */
export const createShell = (): object =>
  strict(
    {
      openExternal: async (url: string) => void runtime().controls.opened.push({ how: 'external', what: url }),
      openPath: async (path: string) => {
        runtime().controls.opened.push({ how: 'path', what: path })
        return ''
      },
      showItemInFolder: (path: string): void => void runtime().controls.opened.push({ how: 'folder', what: path }),
      beep: (): void => undefined,
    },
    'shell',
  )

export function createClipboard(): object {
  let text = ''
  return strict(
    {
      readText: () => text,
      writeText: (written: string): void => void (text = written),
      clear: (): void => void (text = ''),
    },
    'clipboard',
  )
}

/** Whether the desktop says that there is a network. Its requests aren't here: the app makes them with Node's. */
export function createNet(): object {
  const net = {
    isOnline: () => runtime().controls.online,
    get online() {
      return runtime().controls.online
    },
  }
  return strict(net, 'net')
}

export class NativeTheme extends StrictEmitter {
  static override readonly apiName = 'nativeTheme'
  static override readonly events = ['updated']
  readonly shouldUseHighContrastColors = false
  readonly shouldUseInvertedColorScheme = false
  readonly inForcedColorsMode = false
  readonly prefersReducedTransparency = false
  #source: 'system' | 'light' | 'dark' = 'system'

  constructor() {
    super()
    runtime().controls.changes.on('dark', () => {
      if (this.#source === 'system') this.#changed()
    })
  }

  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#source
  }

  set themeSource(source: 'system' | 'light' | 'dark') {
    const was = this.shouldUseDarkColors
    this.#source = source
    if (this.shouldUseDarkColors !== was) this.#changed()
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? runtime().controls.dark : this.#source === 'dark'
  }

  #changed(): void {
    for (const { webContents } of windows) void webContents.applyColorScheme()
    this.emit('updated', hostEvent())
  }
}

export class PowerMonitor extends StrictEmitter {
  static override readonly apiName = 'powerMonitor'
  static override readonly events = [
    ...['suspend', 'resume', 'on-ac', 'on-battery', 'shutdown', 'lock-screen', 'unlock-screen'],
    ...['thermal-state-change', 'speed-limit-change', 'user-did-become-active', 'user-did-resign-active'],
  ]
  readonly onBatteryPower = false

  constructor() {
    super()
    runtime().controls.changes.on('power', (event) => this.emit(event))
  }

  isOnBatteryPower(): boolean {
    return false
  }

  getSystemIdleState(): string {
    return 'active'
  }

  getSystemIdleTime(): number {
    return 0
  }
}
