import { m } from '../../../messages/index.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { formatList, formatNumber } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { MAX_BULK_WEBSITES } from '../../../shared/fields.ts'
import { ok } from '../../../shared/result.ts'
import { isStatisticsTemplate, STATISTICS_TEMPLATE } from '../../../shared/statistics-address.ts'
import { settingNames, type WebsiteView } from '../../../shared/website.ts'
import type { Model } from '../../app/model.svelte.ts'
import type { MenuGroup } from '../../ui/menu-group.ts'
import { copyText } from '../../ui/typing.ts'
import { copyTargets } from './copy-targets.ts'
import { settingsOf } from './field-patch.svelte.ts'

/** Returns the menu of a row of the list. */
export function websiteMenu(app: Model, website: WebsiteView): MenuGroup[] {
  const writes = !app.appState?.readOnly
  const editable = writes && website.state !== 'deleting'
  const isOpen = app.editor.openKey === website.key
  const { copied } = app.presets
  const hasStatistics = website.id !== null && canOpenStatistics(app)
  const open = async (page: 'website' | 'statistics'): Promise<void> => {
    const opened = await app.bridge.openWebsite({ key: website.key, page })
    if (!opened.ok) app.toasts.show(fullErrorText(opened.error))
  }
  return [
    {
      items: [
        ...(isOpen ? [] : [{ label: m.website_edit(), run: () => app.editor.open(website) }]),
        ...(hasStatistics ? [{ label: m.website_open_statistics(), run: () => void open('statistics') }] : []),
        { label: m.website_open(), run: () => void open('website') },
      ],
    },
    {
      items: [
        { label: m.website_copy_domain(), run: () => copyDomain(app, website) },
        ...(writes ? [{ label: m.website_duplicate(), run: () => app.editor.duplicate(website) }] : []),
        ...(canCopyToAccount(app)
          ? [{ label: m.copy_to_account(), run: () => app.copying.beginWith([website.key]) }]
          : []),
      ],
    },
    {
      items: [
        { label: m.website_copy_settings(), run: () => keepSettingsToPaste(app, website) },
        ...(editable && copied
          ? [{ label: m.website_paste_settings(), run: () => app.bulk.beginWith(ok([website.key]), copied) }]
          : []),
        ...(website.id === null
          ? []
          : [{ label: m.website_history(), run: () => app.editor.open(website, null, 'history') }]),
        ...(editable ? [{ label: m.tags_ask(), run: () => void app.tagsDialog.ask(website) }] : []),
        ...(editable && isOpen ? [{ label: m.preset_save_as(), run: () => app.presets.form.beginWith(website) }] : []),
      ],
    },
    ...(editable
      ? [{ items: [{ label: m.common_delete_ask(), run: () => void (app.editor.deleting = website) }] }]
      : []),
  ]
}

/** Returns the menu of several selected rows. */
export function selectionMenu(app: Model): MenuGroup[] {
  const { copied } = app.presets
  const writes = !app.appState?.readOnly
  const edit = [
    { label: m.common_edit_ask(), run: () => void app.bulk.begin() },
    ...(copied ? [{ label: m.website_paste_settings(), run: () => void app.bulk.begin(copied) }] : []),
    { label: m.tags_ask_selected(), run: () => void app.tagsDialog.askSelected() },
  ]
  return [
    ...(writes ? [{ items: edit }] : []),
    {
      items: [
        { label: m.website_copy_domains(), run: () => void copyDomains(app) },
        ...(canCopyToAccount(app) ? [{ label: m.copy_to_account(), run: () => void app.copying.begin() }] : []),
      ],
    },
    { items: [{ label: m.selection_clear(), run: () => app.websites.selection.clear() }] },
    ...(writes ? [{ items: [{ label: m.common_delete_ask(), run: () => void app.bulkDelete.begin() }] }] : []),
  ]
}

const canCopyToAccount = ({ appState }: Model): boolean => copyTargets(appState).length > 0

/** True if the statistics have an https address. Main opens no other address. */
function canOpenStatistics({ appState, settings }: Model): boolean {
  const { connection } = appState ?? {}
  if (!connection) return false
  return isStatisticsTemplate(
    settings.now?.statisticsAddresses[connection.id] ?? STATISTICS_TEMPLATE,
    connection.address,
  )
}

function copyDomain(app: Model, { domain }: WebsiteView): void {
  if (copyText(domain)) app.toasts.show(m.website_domain_copied({ domain: isolateText(domain) }))
}

/** Copies the domains of the selected websites, one per line. Shows a toast instead if too many are selected. */
async function copyDomains({ bridge, toasts, websites }: Model): Promise<void> {
  const { selection } = websites
  if (selection.count > MAX_BULK_WEBSITES)
    return toasts.show(m.website_copy_domains_limit({ limit: formatNumber(MAX_BULK_WEBSITES) }))
  const keys = await selection.keys()
  const copied = keys.ok ? await bridge.copyDomains({ keys: keys.value }) : keys
  toasts.show(copied.ok ? m.website_domains_copied({ count: copied.value }) : fullErrorText(copied.error))
}

/** Stores the settings of a website in the app, not in the clipboard, to paste them into other websites. */
function keepSettingsToPaste(app: Model, website: WebsiteView): void {
  app.presets.copied = settingsOf(website)
  const domain = isolateText(website.domain)
  const unknown = settingNames.filter((name) => website[name] === undefined)
  const fields = formatList(unknown.map(fieldLabel))
  app.toasts.show(
    fields === '' ? m.website_settings_copied({ domain }) : m.website_settings_copied_unknown({ domain, fields }),
  )
}
