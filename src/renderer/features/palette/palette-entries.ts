import { locales, m } from '../../../messages/index.ts'
import { perPageValues } from '../../../shared/fields.ts'
import type { PageSize } from '../../../shared/website.ts'
import { clickActionButton, focusSection } from '../../ui/focus.ts'
import type { ActionGroup } from '../../app/action-texts.ts'
import { nativeLanguageName } from '../shared/settings-text.ts'
import { advancedSwitches, switchGroups } from '../shared/switches.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import type { DisplayDomain } from '../../../shared/display/domain.ts'
import type { Keys } from '../../lib/keys.ts'
import { columnLabels, fullColumnName, orderLabels, sizeLabel, type Order } from '../shared/list-labels.ts'
import type { Model } from '../../app/model.svelte.ts'
import { actionOnScreen, type Run } from '../../app/on-screen.ts'

/** A line of the palette, such as an action, a website or an account. */
export interface PaletteEntry {
  label: string
  /** The domain, if the entry is a website. */
  domain?: DisplayDomain
  /** The account of the website, if it isn't the shown account. */
  account?: string
  synonyms?: readonly string[]
  keys?: Keys
  run: Run
}

/** Returns the entries that choose a value, such as an order or an account, or toggle a setting, by group. */
export function paletteEntries(app: Model): Partial<Record<ActionGroup, PaletteEntry[]>> {
  if (!app.appState?.connection) return {}
  return {
    list: [...orders(app), ...pageSizes(app), ...columns(app), ...views(app)],
    connections: connections(app),
    presets: presets(app),
    settings: [...sections(app), ...switches(app)],
  }
}

function orders(app: Model): PaletteEntry[] {
  const { websites } = app
  const otherOrders = (Object.keys(orderLabels) as Order[]).filter(
    (one) => one !== `${websites.sortBy} ${websites.sort}`,
  )
  return otherOrders.map((order) => {
    const [by, direction] = order.split(' ') as ['id' | 'domain', 'asc' | 'desc']
    const synonyms = [m.list_sort(), by === 'id' ? columnLabels.created() : '']
    const label = m.list_sort_by({ order: orderLabels[order]() })
    return { label, synonyms, run: actionOnScreen(app, 'websites', () => websites.sortAs(by, direction)) }
  })
}

function pageSizes(app: Model): PaletteEntry[] {
  const { websites } = app
  const all: PageSize[] = ['all', ...perPageValues]
  return all.flatMap((size) =>
    size === websites.perPage
      ? []
      : {
          label: sizeLabel(size),
          synonyms: [m.list_page_size()],
          run: actionOnScreen(app, 'websites', () => websites.showPerPage(size)),
        },
  )
}

function columns(app: Model): PaletteEntry[] {
  const { columns } = app.websites
  return columns.offered.map((name) => {
    const column = fullColumnName(name)
    const run = actionOnScreen(app, 'websites', () => columns.toggle(name))
    const label = columns.has(name) ? m.list_column_hide({ column }) : m.list_column_show({ column })
    return { label, synonyms: [columnLabels[name]()], run }
  })
}

function views(app: Model): PaletteEntry[] {
  const synonyms = m.view_search_terms().split(', ')
  return app.views.entries.flatMap((view) => {
    const name = isolateText(view.name)
    const open = { label: m.view_open_named({ name }), synonyms, run: () => app.views.open(view) }
    if (app.appState?.readOnly) return [open]
    return [
      open,
      { label: m.view_rename_named({ name }), synonyms, run: () => app.views.ask(view) },
      { label: m.view_delete_named({ name }), synonyms, run: () => void app.views.remove(view) },
    ]
  })
}

function connections(app: Model): PaletteEntry[] {
  return app.connections.entries.flatMap((entry) => {
    const name = isolateText(entry.name)
    const synonyms = [m.connection_synonyms()]
    const rename = actionOnScreen(app, 'settings', () => clickActionButton(`rename-${entry.id}`))
    const remove = actionOnScreen(app, 'settings', () => app.askRemove(entry))
    return [
      ...(entry.active ? [] : [{ label: m.connection_switch_to({ name }), synonyms, run: () => app.switchTo(entry) }]),
      { label: m.connection_rename_ask({ name }), synonyms, run: rename },
      { label: m.connection_remove({ name }), synonyms, run: remove },
    ]
  })
}

function presets(app: Model): PaletteEntry[] {
  const { appState, bulk, presets, websites } = app
  const synonyms = m.preset_search_terms().split(', ')
  return (presets.entries ?? []).flatMap((preset) => {
    const { change } = preset
    const name = isolateText(preset.name)
    const show = { label: m.preset_command_show({ name }), synonyms, run: () => presets.show(preset) }
    if (appState?.readOnly) return [show]
    return [
      ...(websites.selection.count > 0
        ? [{ label: m.preset_command_apply({ name }), synonyms, run: () => void bulk.begin(change) }]
        : []),
      show,
      { label: m.preset_command_apply_differing({ name }), synonyms, run: () => void presets.applyToDiffering(preset) },
      {
        label: m.preset_command_edit({ name }),
        synonyms,
        run: actionOnScreen(app, 'presets', () => presets.form.begin(preset)),
      },
      {
        label: m.preset_command_delete({ name }),
        synonyms,
        run: actionOnScreen(app, 'presets', () => (presets.removing = preset)),
      },
    ]
  })
}

/** Entries that open a section of the settings. Every language finds the language, because the shown one may be a wrong one. */
function sections(app: Model): PaletteEntry[] {
  const languages = locales.flatMap((locale) => [m.settings_language({}, { locale }), nativeLanguageName(locale)])
  const appearance = m.settings_appearance()
  const entry = (name: string, section = name, synonyms = [section]): PaletteEntry => ({
    label: m.settings_open({ name }),
    synonyms,
    run: actionOnScreen(app, 'settings', () => focusSection(section)),
  })
  return [
    entry(m.settings_language(), appearance, languages),
    entry(m.settings_theme(), appearance),
    entry(m.settings_text_size(), appearance),
    entry(m.settings_refresh_title()),
    ...switchGroups.map(({ name }) => entry(name())),
    ...(app.addressBook.entries.length > 0 ? [entry(m.address_title())] : []),
    { ...entry(m.network_title()), run: () => app.openNetworkSettings() },
    entry(m.settings_file_title()),
  ]
}

/** Entries for the settings that are on or off, except pausing, which has two actions. */
function switches(app: Model): PaletteEntry[] {
  const settings = app.settings.now
  if (!settings) return []
  return [...switchGroups, ...advancedSwitches].flatMap(({ name, switches }) =>
    switches.flatMap(({ setting, label }) =>
      setting === 'paused'
        ? []
        : {
            label: settings[setting]
              ? m.settings_turn_off({ setting: label() })
              : m.settings_turn_on({ setting: label() }),
            synonyms: [name()],
            run: () => void app.settings.set({ [setting]: !settings[setting] }),
          },
    ),
  )
}
