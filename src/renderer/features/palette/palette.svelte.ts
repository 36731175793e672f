import { m } from '../../../messages/index.ts'
import { displayDomain } from '../../../shared/display/domain.ts'
import { plainLetters } from '../../../shared/letters.ts'
import { actionGroups, groupNames, type ActionGroup, type ActionName, type ActionText } from '../../app/action-texts.ts'
import { actionsOf } from '../../app/actions.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { Model } from '../../app/model.svelte.ts'
import { paletteEntries, type PaletteEntry } from './palette-entries.ts'

/** Maximum number of websites found in the shown account. Main limits those of other accounts. */
const MAX_FOUND_WEBSITES = 10

export interface PaletteGroup {
  name: string
  entries: PaletteEntry[]
}

/** The command palette: the actions, and the first websites of each account, that match the typed text. */
export class Palette {
  readonly #app: Model

  text = $state('')
  #websites: PaletteEntry[] = $state.raw([])
  /** The websites found in other accounts. */
  #elsewhere: PaletteEntry[] = $state.raw([])

  readonly groups: PaletteGroup[] = $derived.by(() => {
    const found = { name: m.palette_websites_found(), entries: this.#websites }
    const elsewhere = { name: m.palette_websites_elsewhere(), entries: this.#elsewhere }
    return [...this.#commands(), found, elsewhere].filter(({ entries }) => entries.length > 0)
  })

  constructor(app: Model) {
    this.#app = app
    void app.connections.load()
  }

  type(text: string): void {
    this.text = text
    if (text.trim() !== '') return void this.#look()
    this.#websites = []
    this.#elsewhere = []
  }

  /** Returns the matching actions by group, each group sorted by rank. */
  #commands(): PaletteGroup[] {
    const words = plainLetters(this.text).split(/\s+/).filter(Boolean)
    const actions = actionsOf(this.#app)
    const entriesOfGroup = paletteEntries(this.#app)
    return (Object.keys(actionGroups) as ActionGroup[]).map((group) => {
      const actionEntries = Object.entries<ActionText>(actionGroups[group]).flatMap(
        ([action, { label, synonyms: terms, keys }]) => {
          const run = actions[action as ActionName]
          const synonyms = terms ? [terms()] : []
          return run ? [{ label: label(), synonyms, ...(keys !== undefined && { keys }), run }] : []
        },
      )
      const entries = [...(entriesOfGroup[group] ?? []), ...actionEntries]
        .map((entry) => ({ entry, rank: rankOf(entry, words) }))
        .filter(({ rank }) => rank < Infinity)
        .sort((a, b) => a.rank - b.rank)
      return { name: groupNames[group](), entries: entries.map(({ entry }) => entry) }
    })
  }

  /** Searches the websites of all accounts. Ignores the response if the text was changed in the meantime. */
  readonly #look = coalesced(async () => {
    const search = this.text.trim()
    if (search === '') return
    const app = this.#app
    const { bridge, editor } = app
    const [answer, found] = await Promise.all([
      bridge.listWebsites({ search, sort_by: 'domain', sort: 'asc', per_page: MAX_FOUND_WEBSITES, page: 1 }),
      bridge.findInOtherAccounts({ search }),
    ])
    if (this.text.trim() !== search) return
    const elsewhere = found.ok ? found.value : []
    this.#elsewhere = elsewhere.flatMap(({ account, name, websites }) =>
      websites.map((website) => {
        const domain = displayDomain(website.domain)
        const run = () => app.openInAccount(account, website.key)
        return { label: domain.label, domain, account: name, run }
      }),
    )
    const websites = answer.ok ? answer.value.websites : []
    this.#websites = websites.map((website) => {
      const domain = displayDomain(website.domain)
      return {
        label: domain.label,
        domain,
        run: () => {
          app.screen = 'websites'
          editor.open(website)
        },
      }
    })
  })
}

/**
 * Ranks a match: 0 if a word of the label begins with the typed text. Otherwise the worst rank of a typed word: 1 if it begins a
 * word of the label, 2 of a synonym, 3 anywhere in the label, else Infinity.
 */
function rankOf({ label, synonyms = [] }: PaletteEntry, words: string[]): number {
  const name = plainLetters(label)
  if (begins(name, words.join(' '))) return 0
  const synonymText = plainLetters(synonyms.join(' '))
  const ranks = words.map((word) => {
    if (begins(name, word)) return 1
    if (begins(synonymText, word)) return 2
    return name.includes(word) ? 3 : Infinity
  })
  return Math.max(...ranks)
}

/** True if `word` is at the beginning of a word of the text. */
const begins = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`)
