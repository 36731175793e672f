import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { compareDomainList } from '../../../src/main/bulk/compare-list.ts'
import { findWebsitesExcluding } from '../../../src/main/bulk/find-addresses.ts'
import { compareWithPreset, createPresets } from '../../../src/main/bulk/presets.ts'
import { createSavedViews } from '../../../src/main/local/saved-views.ts'
import { createTags } from '../../../src/main/local/tags.ts'
import { requestPreviewOf } from '../../../src/main/ipc/preview.ts'
import { createFilterTest } from '../../../src/main/replica/filter.ts'
import type { View } from '../../../src/main/replica/view.ts'
import type { CheckedRequest, CommandAnswer, CommandName } from '../../../src/preload/bridge.ts'
import type { AccountView } from '../../../src/shared/account.ts'
import type { ActivityEntry } from '../../../src/shared/activity.ts'
import type { BulkWebsiteRow } from '../../../src/shared/bulk-change.ts'
import type { Destination } from '../../../src/shared/destination.ts'
import { setUpParts } from '../../../src/shared/diagnostics.ts'
import type { EditView, HistoryEntry } from '../../../src/shared/edit.ts'
import { connectionSteps, type NetworkSettings } from '../../../src/shared/network.ts'
import type { SavedViewStore } from '../../../src/main/storage/list-store.ts'
import type { SavedView } from '../../../src/shared/saved-view.ts'
import { nonEmptyLocalData, type Tag } from '../../../src/shared/local-data.ts'
import type { Preset } from '../../../src/shared/preset.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import type { AppState, Settings } from '../../../src/shared/state.ts'
import type { FormDrafts } from '../../../src/shared/form-draft.ts'
import type { WebsiteView } from '../../../src/shared/website.ts'
import { activityPage, resultEntry } from './activity.ts'
import { created } from './fixtures.ts'
import { pageOf } from './page-of.ts'

/** The data behind {@link MemoryBridge}, which its answers read and change. */
export interface World {
  state: AppState
  settings: Settings
  destination: Destination | null
  formDrafts: FormDrafts | null
  websites: WebsiteView[]
  edits: EditView[]
  /** The results of edits, latest first. */
  history: HistoryEntry[]
  /** All other entries of the activity, latest first. */
  activity: ActivityEntry[]
  account: AccountView | null
  presets: Preset[]
  views: SavedView[]
  tags: Tag[]
  bulkWebsites: BulkWebsiteRow[]
}

export type Answers = {
  [N in CommandName]: (request: CheckedRequest<N>) => CommandAnswer<N> | Promise<CommandAnswer<N>>
}

const direct: NetworkSettings = { route: { kind: 'direct' }, client: null, authorities: [] }

/** Returns answers as main gives them. Every edit is accepted and stays pending. */
export function answersOf(world: World): Answers {
  const find = (key: string): WebsiteView | undefined => world.websites.find((website) => website.key === key)
  const replace = (next: WebsiteView): CommandAnswer<'getWebsite'> => {
    world.websites = world.websites.map((website) => (website.key === next.key ? next : website))
    return ok(next)
  }
  const viewStore: SavedViewStore = {
    savedViews: () => ok(world.views),
    saveView: (view) => ok(void (world.views = [...world.views.filter(({ id }) => id !== view.id), view])),
    removeView: (id) => ok(void (world.views = world.views.filter((view) => view.id !== id))),
  }
  const presets = createPresets({
    store: {
      ...viewStore,
      write: (work) => work(),
      presets: () => ok(world.presets),
      savePresets: (...given) => {
        const others = world.presets.filter(({ id }) => given.every((preset) => preset.id !== id))
        world.presets = [...others, ...given]
        return ok(undefined)
      },
      removePreset: (id) => ok(void (world.presets = world.presets.filter((preset) => preset.id !== id))),
    },
    newId: () => `preset-${world.presets.length + 1}`,
  })
  const savedViews = createSavedViews({
    store: viewStore,
    newId: () => `view-${world.views.length + 1}`,
  })
  const tags = createTags({
    store: {
      ...viewStore,
      write: (work) => work(),
      tags: () => ok(world.tags),
      localWebsites: () => ok(world.websites.map(({ domain, tags = [], note = '' }) => ({ domain, tags, note }))),
      hasNotes: () => ok(world.websites.some(({ note = '' }) => note !== '')),
      hasLocal: () => ok(world.tags.length > 0),
      saveLocal: ({ tags = world.tags, websites = [] }) => {
        world.tags = [...tags]
        for (const { domain, tags: names, note } of websites) {
          const website = world.websites.find((one) => one.domain === domain)
          if (!website) continue
          const bare = { ...website }
          delete bare.tags
          delete bare.note
          replace({ ...bare, ...nonEmptyLocalData({ tags: names, note }) })
        }
        return ok(undefined)
      },
      moveLocal: () => undefined,
      sweepLocal: () => ok(undefined),
    },
    view: { websites: (keys) => ok(world.websites.filter(({ key }) => keys.includes(key))) },
  })
  const otherAccounts = () => world.state.accounts.filter(({ id }) => id !== world.state.connection?.id)
  const shown = (query: CheckedRequest<'listWebsites'>) => pageOf(world.websites, query, presets.differsFrom)
  const keysOf = (query: Omit<CheckedRequest<'listWebsites'>, 'page' | 'per_page'>) =>
    shown({ ...query, page: 1, per_page: 1e6 as 100 }).websites.map(({ key }) => key)
  const view = {
    get: (key: string) => find(key) ?? null,
    domains: () => ok(world.websites.map(({ key, domain }) => ({ key, domain }))),
    total: () => world.websites.length,
    websites: (keys: readonly string[]) => ok(keys.flatMap((key) => find(key) ?? [])),
    judge: (filters: Parameters<View['judge']>[0]) => {
      const fits = world.websites.map((website) => ({
        key: website.key,
        is: createFilterTest(filters, presets.differsFrom)(website),
      }))
      const keys = fits.flatMap(({ key, is }) => (is ? [key] : []))
      return Promise.resolve(
        ok({ keys, unknown: fits.filter(({ is }) => is === undefined).length, total: fits.length }),
      )
    },
    keys: (query: Parameters<View['keys']>[0]) => Promise.resolve(ok(keysOf({ ...query, search_by: 'domain' }))),
  }
  const outbox = {
    deleteBulk: () => Promise.resolve([]),
    list: () => fail('internal'),
    lastOrder: () => 0,
    writeBulk: () => Promise.resolve(ok({ created: [], updated: [] })),
    takeBackBulk: () => Promise.resolve([]),
  }
  const bulk = createBulk({
    view,
    outbox,
    outcome: {
      queuedFor: () => [],
      begin: () => undefined,
      bulkUndo: () => null,
      takeBack: (_, work) => work(),
      results: () => new Map(),
    },
    newId: () => 'batch',
    pause: () => Promise.resolve(),
  })
  /** The connection to which the stored form drafts belong. */
  let draftsOf = world.state.connection?.id
  const connected = (): CommandAnswer<'connect'> =>
    world.state.connection ? ok(world.state.connection) : fail('no-connection')
  return {
    getState: () => ok(world.state),
    getAbout: () =>
      ok({
        version: '0.1.0',
        runtime: 'Electron 45.4.1',
        folder: '/home/ada/.config/siteward',
        certificates: ['/etc/ssl/company.pem'],
      }),
    listNetwork: () => {
      const { connection } = world.state
      return ok(
        connection === null
          ? []
          : [{ ...direct, id: connection.id, name: connection.name, address: connection.address }],
      )
    },
    getNewNetwork: () => ok(direct),
    chooseCertificate: () => ok('canceled'),
    enterPassphrase: () => ok('saved'),
    removeCertificate: () => ok(undefined),
    setProxyLogin: () => ok('saved'),
    removeProxyLogin: () => ok(undefined),
    testConnection: () => ok(connectionSteps.map((step) => ({ step, found: 'good', code: null }) as const)),
    getOwnAddresses: () => ok(['198.51.100.7']),
    getSettings: () => ok(world.settings),
    keepFormDrafts: (given) => {
      draftsOf = world.state.connection?.id
      world.formDrafts = given
      return ok(undefined)
    },
    getFormDrafts: () => ok(draftsOf === world.state.connection?.id ? world.formDrafts : null),
    takeDestination: () => {
      const { destination } = world
      world.destination = null
      return ok(destination)
    },
    setSettings: (change) => ok((world.settings = { ...world.settings, ...change })),
    connect: connected,
    checkAddress: () => ok(undefined),
    openService: () => ok(undefined),
    openWebsite: () => ok(undefined),
    trySample: connected,
    replaceKey: connected,
    cancelConnect: () => ok(undefined),
    disconnect: () => ok({ keyLeft: false }),
    listConnections: () => {
      const { connection } = world.state
      const others = otherAccounts().map(({ id, name, address }, n) => ({
        ...{ id, name, address },
        sample: false,
        active: false,
        opening: false,
        unsent: n,
        localData: 'none' as const,
      }))
      return ok(
        connection
          ? [
              {
                ...connection,
                active: true,
                opening: false,
                unsent: world.edits.length,
                localData: world.tags.length === 0 ? 'none' : connection.sample ? 'lost' : 'keepable',
              },
              ...others,
            ]
          : others,
      )
    },
    switchConnection: ({ id }) => {
      const other = otherAccounts().find((each) => each.id === id)
      if (other === undefined || world.state.connection === null) return fail('no-connection')
      const { name, address } = other
      return ok({ ...world.state.connection, name, address, id })
    },
    renameConnection: () => ok(undefined),
    listEditsOf: () => ok({ edits: world.edits, total: world.edits.length, parked: 0 }),
    removeConnection: () => ok({ keyLeft: false }),
    retryKeychain: () => ok(undefined),
    listWebsites: (query) => ok(shown(query)),
    listKeys: ({ from, count, ...query }) => {
      return ok(keysOf(query).slice(from, from + count))
    },
    copyDomains: ({ keys }) => ok(keys.length),
    findInOtherAccounts: () => ok([]),
    exportWebsites: ({ chosen, ...query }) => {
      return ok({
        saved: true,
        websites: keysOf(query).filter((key) => chosen.keys.includes(key) !== chosen.all).length,
      })
    },
    cancelExport: () => ok(undefined),
    getWebsite: ({ key }) => {
      const website = find(key)
      return website ? ok(website) : fail('website-gone')
    },
    createWebsite: (draft) => {
      const website = created(draft, world.websites.length + 1)
      world.websites = [website, ...world.websites]
      return ok(website)
    },
    correctWebsite: ({ key, draft }) => {
      const website = find(key)
      if (!website) return fail('website-gone')
      const { password, ...settings } = draft
      return replace({
        ...website,
        ...settings,
        password: password !== undefined || website.password === true,
        state: 'new',
      })
    },
    updateWebsite: ({ key, changes: { password, ...settings } }) => {
      const website = find(key)
      if (!website) return fail('website-gone')
      const pending = [...Object.keys(settings), ...(password === undefined ? [] : ['password'])]
      return replace({ ...website, ...settings, state: 'changed', pending: pending as WebsiteView['pending'] })
    },
    deleteWebsite: ({ key }) => {
      const website = find(key)
      if (website) replace({ ...website, state: 'deleting' })
      return ok(undefined)
    },
    previewSave: (request) => {
      const { method, path, form = [] } = requestPreviewOf(request, request.key && (find(request.key)?.id ?? null), [])
      return ok({ method, path, form })
    },
    previewBulk: ({ keys }) => ok({ changing: keys.length, same: 0, refused: 0, unlocked: 0, rows: [], pages: 1 }),
    unseenLists: async ({ keys }) => ok(await bulk.unseenLists(keys)),
    bulkUpdate: ({ keys }) => ok({ bulkChange: 'batch', changed: keys.length, same: 0, refused: [], unknown: [] }),
    openList: () => ok(null),
    takenDomains: ({ domains }) =>
      ok(domains.filter((domain) => world.websites.some((website) => website.domain === domain))),
    compareList: ({ domains }) => ok(compareDomainList(domains, world.websites)),
    findAddresses: async ({ lines }) => {
      const found = await findWebsitesExcluding(view, lines)
      return found.ok ? ok({ ...found.value, others: [] }) : found
    },
    bulkCreate: ({ drafts }) => ok({ bulkChange: 'batch', created: drafts.length, refused: [] }),
    bulkDelete: ({ keys }) => {
      for (const website of world.websites.filter(({ key }) => keys.includes(key)))
        replace({ ...website, state: 'deleting' })
      return ok({ bulkChange: 'batch', changed: keys.length, same: 0, refused: [], unknown: [] })
    },
    listPresets: () => presets.list(),
    savePreset: (draft) => presets.save(draft),
    removePreset: ({ id }) => presets.remove(id),
    comparePreset: ({ id, page }) => compareWithPreset({ presets, view, bulk }, id, page),
    listViews: () => savedViews.list(),
    saveView: (draft) => savedViews.save(draft),
    removeView: ({ id }) => savedViews.remove(id),
    listTags: () => tags.list(),
    saveTag: (tag) => tags.save(tag),
    removeTag: ({ name, unused }) => tags.remove(name, unused),
    countTags: ({ keys }) => tags.count(keys),
    assignTags: ({ keys, add, remove }) => tags.assign(keys, add, remove),
    setNote: ({ key, note }) => {
      const website = find(key)
      if (!website) return fail('website-gone')
      return tags.setNote(website.domain, note)
    },
    undoTags: ({ change }) => tags.undo(change),
    openTable: () => ok(null),
    compareTable: () => fail('edit-gone'),
    listTable: () => fail('edit-gone'),
    applyTable: () => fail('edit-gone'),
    closeTable: () => ok(undefined),
    listBulkWebsites: ({ page }) =>
      ok({
        websites: world.bulkWebsites.slice((page - 1) * 50, page * 50),
        pages: Math.ceil(world.bulkWebsites.length / 50),
      }),
    dismissBulkChange: () => ok(void (world.state = { ...world.state, bulkChange: null })),
    undoBulk: () => ok({ bulkChange: 'back', changed: 0, same: 0, refused: [], unknown: [] }),
    refresh: () => ok(1),
    listEdits: ({ page, per_page, website }) =>
      ok({
        edits: world.edits
          .filter((edit) => website === undefined || edit.website === website)
          .slice((page - 1) * per_page, page * per_page),
        total: world.edits.length,
        parked: world.edits.filter((edit) => edit.state === 'parked').length,
      }),
    getLastSave({ website }) {
      const isHere = (one: { website: string | null; isUndo?: boolean | undefined }) =>
        (website === undefined || one.website === website) && one.isUndo !== true
      const saves = [
        ...world.edits.filter(isHere).map((edit) => ({ order: edit.changedAt, edit })),
        ...world.history.filter(isHere).map((entry) => ({ order: entry.at, entry })),
      ]
      return ok(saves.toSorted((a, b) => b.order - a.order)[0] ?? null)
    },
    undoEdit({ id }) {
      world.edits = world.edits.filter((edit) => edit.id !== id)
      return ok('undone')
    },
    discardEdit: ({ id }) => ok(void (world.edits = world.edits.filter((edit) => edit.id !== id))),
    sendNow: () => ok(undefined),
    readConflict: () => ok(undefined),
    resolveEdit: ({ id }) => ok(void (world.edits = world.edits.filter((edit) => edit.id !== id))),
    listActivity: (query) => ok(activityPage([...world.history.map(resultEntry), ...world.activity], query)),
    getVersion: () => ok({}),
    exportActivity: () => ok({ saved: true, entries: world.history.length + world.activity.length }),
    revertEdit: () => ok(undefined),
    exportEdits: () => ok({ saved: true, edits: world.edits.length, secrets: 0 }),
    previewCopy: ({ keys }) =>
      ok(
        keys.map((key) => {
          const website = find(key)
          const effect = website === undefined ? 'gone' : website.privacy === 2 ? 'protected' : 'copied'
          return { key, domain: website?.domain ?? '', effect, unknown: [] } as const
        }),
      ),
    copyWebsites: ({ keys }) => ok({ bulkChange: 'copy', created: keys.length, refused: [] }),
    exportSettings: () => ok({ saved: true, missing: [] }),
    importSettings: () =>
      ok({
        effects: [{ section: 'settings', account: null, added: [], changed: ['theme'], unchanged: 3, limit: null }],
        settings: { theme: 'dark' },
        statistics: [],
        skipped: [],
      }),
    finishSettingsImport: () => ok(undefined),
    importEdits: () => ok({ creates: 0, updates: 1, deletes: [], published: 0 }),
    finishImport: () => ok({ added: 0, skipped: 0, parked: 0, refused: [] }),
    checkSetUp: () => ok(setUpParts.map((part) => ({ part, found: 'good', code: null }) as const)),
    copyDiagnostics: () => ok(undefined),
    dismissMishap: () => ok(void (world.state = { ...world.state, mishap: null })),
    quit: () => ok(undefined),
    checkForUpdate: () => ok(world.state.update),
    downloadUpdate: () => ok(undefined),
    restartToUpdate: () => ok(undefined),
    activitySeen: () => ok(void (world.state = { ...world.state, mismatches: 0, remoteChanges: 0 })),
    dismissSalvage: () => ok(void (world.state = { ...world.state, salvaged: null })),
    getAccount: () => ok(world.account),
    hintOnline: () => ok(undefined),
  }
}
