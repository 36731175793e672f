import { isolated } from '../words/visible.ts'
import { shortened } from '../words/websites.ts'
import { actionGroups, foundWebsites, switchToWords, type ActionGroup, type ActionName } from '../words/actions.ts'
import { applyWords, differingWords } from '../words/profiles.ts'
import type { Keys } from '../words/keys.ts'
import { actionsOf } from './actions.ts'
import { coalesced } from './coalesced.ts'
import type { Model } from './model.svelte.ts'

/** Of the websites that fit. */
const MOST = 10

export interface Entry {
  /** By which it's found, and told from the others. */
  label: string
  /** Where that is too long to be shown. */
  short?: string
  also?: readonly string[]
  keys?: Keys
  run: () => void
}

export interface EntryGroup {
  name: string
  entries: Entry[]
}

/** Everything that can be done now, and every website, found by typing. */
export class Palette {
  readonly #desk: Model

  text = $state('')
  #at = $state(0)
  #websites: Entry[] = $state.raw([])

  readonly groups: EntryGroup[] = $derived.by(() => {
    const found = { name: foundWebsites, entries: this.#websites }
    return [...this.#commands(), found].filter(({ entries }) => entries.length > 0)
  })
  readonly #entries = $derived(this.groups.flatMap(({ entries }) => entries))
  /** The one that Enter takes. */
  readonly current = $derived(this.#entries[Math.min(this.#at, this.#entries.length - 1)])

  constructor(desk: Model) {
    this.#desk = desk
    void desk.connections.load()
  }

  type(text: string): void {
    this.text = text
    this.#at = 0
    if (text.trim() === '') this.#websites = []
    else void this.#look()
  }

  /** Up or down, and round. */
  move(by: number): void {
    const count = this.#entries.length
    if (count > 0) this.#at = (Math.min(this.#at, count - 1) + by + count) % count
  }

  /** What begins with the text comes before what has it further inside; what doesn't have it isn't there. */
  #commands(): EntryGroup[] {
    const words = this.text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    const actions = actionsOf(this.#desk)
    const more: Partial<Record<ActionGroup, Entry[]>> = { Connections: this.#connections(), Profiles: this.#profiles() }
    return Object.entries(actionGroups).map(([name, group]) => {
      const own = Object.entries(group).flatMap(([action, told]): Entry[] => {
        const run = actions[action as ActionName]
        return run ? [{ ...told, run }] : []
      })
      const all = [...(more[name as ActionGroup] ?? []), ...own]
      const entries = all
        .map((entry) => ({ entry, far: distance(entry, words) }))
        .filter(({ far }) => far < Infinity)
        .sort((a, b) => a.far - b.far)
      return { name, entries: entries.map(({ entry }) => entry) }
    })
  }

  #connections(): Entry[] {
    const others = this.#desk.connections.entries.filter(({ active }) => !active)
    return others.map(({ id, name }) => ({
      label: switchToWords(isolated(name)),
      run: () => this.#desk.switchTo(id),
    }))
  }

  /** To those that are selected; or which websites aren't as they say. */
  #profiles(): Entry[] {
    const { app, bulk, profiles, websites } = this.#desk
    const applies = app?.connection && !app.readOnly && websites.selection.count > 0
    return (profiles.entries ?? []).flatMap((profile) => [
      ...(applies ? [{ label: applyWords(profile.name), run: () => void bulk.begin(profile.change) }] : []),
      { label: differingWords(profile.name), run: () => profiles.show(profile) },
    ])
  }

  readonly #look = coalesced(async () => {
    const search = this.text.trim()
    if (search === '') return
    const { bridge, editor } = this.#desk
    const answer = await bridge.listWebsites({ search, sort_by: 'domain', sort: 'asc', per_page: MOST, page: 1 })
    if (this.text.trim() !== search) return
    const websites = answer.ok ? answer.value.websites : []
    this.#websites = websites.map((website) => ({
      label: isolated(website.domain),
      short: shortened(website.domain),
      run: () => {
        this.#desk.screen = 'websites'
        editor.open(website)
      },
    }))
  })
}

/** 0: each word begins a word of the label; 1: of what else it's called; 2: it's somewhere inside; else Infinity. */
function distance({ label, also = [] }: Entry, words: string[]): number {
  const name = label.toLocaleLowerCase()
  const others = also.join(' ').toLocaleLowerCase()
  const far = words.map((word) => {
    if (begins(name, word)) return 0
    if (begins(others, word)) return 1
    return name.includes(word) ? 2 : Infinity
  })
  return Math.max(0, ...far)
}

const begins = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`)
