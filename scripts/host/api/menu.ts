import { runtime } from '../runtime.ts'
import { hostEvent, Strict, StrictEmitter } from '../strict.ts'
import { windows } from './windows.ts'

export interface MenuItemOptions {
  label?: string
  sublabel?: string
  toolTip?: string
  type?: 'normal' | 'separator' | 'submenu' | 'checkbox' | 'radio'
  role?: string
  accelerator?: string
  id?: string
  enabled?: boolean
  visible?: boolean
  checked?: boolean
  icon?: unknown
  submenu?: Menu | MenuItemOptions[]
  click?: (item: MenuItem, window: unknown, event: unknown) => void
}

/** For tests: `click()` does what a person's click does. Roles do nothing here: they are the OS's. */
export class MenuItem extends Strict {
  static override readonly apiName = 'MenuItem'
  readonly id: string | undefined
  readonly type: NonNullable<MenuItemOptions['type']>
  readonly role: string | undefined
  readonly accelerator: string | undefined
  readonly submenu: Menu | undefined
  label: string
  sublabel: string
  toolTip: string
  icon: unknown
  enabled: boolean
  visible: boolean
  checked: boolean
  readonly #click: MenuItemOptions['click']

  constructor(options: MenuItemOptions) {
    super()
    const { submenu } = options
    this.id = options.id
    this.type = options.type ?? (submenu === undefined ? 'normal' : 'submenu')
    this.role = options.role
    this.accelerator = options.accelerator
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : submenu
    this.label = options.label ?? ''
    this.sublabel = options.sublabel ?? ''
    this.toolTip = options.toolTip ?? ''
    this.icon = options.icon
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    this.#click = options.click
  }

  click(): void {
    if (!this.enabled) return
    if (this.type === 'checkbox') this.checked = !this.checked
    if (this.type === 'radio') this.checked = true
    const focused = [...windows].find((window) => window.isFocused())
    this.#click?.(this, focused, hostEvent())
  }
}

export class Menu extends StrictEmitter {
  static override readonly apiName = 'Menu'
  static override readonly events = ['menu-will-show', 'menu-will-close']
  items: MenuItem[] = []
  static readonly #application: { menu: Menu | null } = { menu: null }

  static buildFromTemplate(template: (MenuItemOptions | MenuItem)[]): Menu {
    const menu = new Menu()
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item))
    return menu
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application.menu = menu
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application.menu
  }

  append(item: MenuItem): void {
    this.items.push(item)
  }

  insert(position: number, item: MenuItem): void {
    this.items.splice(position, 0, item)
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }

  popup(): void {
    runtime().controls.popups.push(this)
    this.emit('menu-will-show', hostEvent())
  }

  closePopup(): void {
    this.emit('menu-will-close', hostEvent())
  }
}
