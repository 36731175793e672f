import { displayDomain } from '../../../shared/display/domain.ts'
import { actionGroups, foundWebsites, type ActionGroup, type ActionName } from '../../../words/actions.ts'
import { actionsOf } from '../../app/actions.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { Model } from '../../app/model.svelte.ts'
import { offersOf, type Offer } from './offers.ts'

/** Of the websites that fit. */
const MOST = 10

export interface OfferGroup {
  name: string
  entries: Offer[]
}

/** Everything that can be done now, and every website, found by typing. */
export class Palette {
  readonly #app: Model

  text = $state('')
  #websites: Offer[] = $state.raw([])

  readonly groups: OfferGroup[] = $derived.by(() => {
    const found = { name: foundWebsites, entries: this.#websites }
    return [...this.#commands(), found].filter(({ entries }) => entries.length > 0)
  })

  constructor(app: Model) {
    this.#app = app
    void app.connections.load()
  }

  type(text: string): void {
    this.text = text
    if (text.trim() === '') this.#websites = []
    else void this.#look()
  }

  /** What begins with the text comes before what has it further inside; what doesn't have it isn't there. */
  #commands(): OfferGroup[] {
    const words = this.text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    const actions = actionsOf(this.#app)
    const offers = offersOf(this.#app)
    return Object.entries(actionGroups).map(([name, group]) => {
      const own = Object.entries(group).flatMap(([action, told]): Offer[] => {
        const run = actions[action as ActionName]
        return run ? [{ ...told, run }] : []
      })
      const entries = [...(offers[name as ActionGroup] ?? []), ...own]
        .map((entry) => ({ entry, far: distance(entry, words) }))
        .filter(({ far }) => far < Infinity)
        .sort((a, b) => a.far - b.far)
      return { name, entries: entries.map(({ entry }) => entry) }
    })
  }

  readonly #look = coalesced(async () => {
    const search = this.text.trim()
    if (search === '') return
    const { bridge, editor } = this.#app
    const answer = await bridge.listWebsites({ search, sort_by: 'domain', sort: 'asc', per_page: MOST, page: 1 })
    if (this.text.trim() !== search) return
    const websites = answer.ok ? answer.value.websites : []
    this.#websites = websites.map((website) => {
      const domain = displayDomain(website.domain)
      return {
        label: domain.label,
        domain,
        run: () => {
          this.#app.screen = 'websites'
          editor.open(website)
        },
      }
    })
  })
}

/**
 * 0: the words stand in the label as they're typed, from the beginning of one on; 1: each begins one of the label; 2: of what
 * else it's called; 3: it's somewhere inside; else Infinity.
 */
function distance({ label, also = [] }: Offer, words: string[]): number {
  const name = label.toLocaleLowerCase()
  if (begins(name, words.join(' '))) return 0
  const others = also.join(' ').toLocaleLowerCase()
  const far = words.map((word) => {
    if (begins(name, word)) return 1
    if (begins(others, word)) return 2
    return name.includes(word) ? 3 : Infinity
  })
  return Math.max(...far)
}

const begins = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`)
