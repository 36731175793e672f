import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

const HOME_FOLDERS: Record<string, string> = {
  desktop: 'Desktop',
  documents: 'Documents',
  downloads: 'Downloads',
  music: 'Music',
  pictures: 'Pictures',
  videos: 'Videos',
}

/** app.getPath, by Electron's names, as on Linux. */
export class Paths {
  readonly #set = new Map<string, string>()
  readonly #executable: string
  readonly #appName: () => string

  constructor(executable: string, appName: () => string, userDataSwitch: string | undefined) {
    this.#executable = executable
    this.#appName = appName
    if (userDataSwitch) this.#set.set('userData', userDataSwitch)
  }

  set(name: string, path: string): void {
    this.get(name)
    this.#set.set(name, path)
  }

  get(name: string): string {
    const set = this.#set.get(name)
    if (set !== undefined) return set
    const homeFolder = HOME_FOLDERS[name]
    if (homeFolder !== undefined) return join(homedir(), homeFolder)
    switch (name) {
      case 'home':
        return homedir()
      case 'temp':
        return tmpdir()
      case 'exe':
      case 'module':
        return this.#executable
      case 'appData':
        return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
      case 'userData':
        return join(this.get('appData'), this.#appName())
      case 'sessionData':
        return this.get('userData')
      case 'logs':
        return join(this.get('userData'), 'logs')
      case 'crashDumps':
        return join(this.get('userData'), 'Crashpad')
      default:
        throw new Error(`Failed to get '${name}' path`)
    }
  }
}
