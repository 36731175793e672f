import { addressesWithout, namedAddressesIn, type NamedAddress } from '../../../shared/named-address.ts'
import { tidyLines } from '../../../shared/validate.ts'
import {
  foldNamedAddresses,
  shownLineNumbers,
  unfoldedText,
  textOf,
  withShownText,
  type FoldedLines,
} from '../../lib/exclude-list/fold-named-addresses.ts'
import type { Finding } from '../../lib/exclude-list/lines.ts'

interface ListTextSource {
  /** The whole list, with one entry per line. */
  readonly text: string
  /** The named addresses that can be shown as chips. */
  readonly book: readonly NamedAddress[]
  set(text: string): void
}

/** A list in which a chip replaces the lines of each named address that the list contains completely. */
export class FoldedList {
  readonly #source: ListTextSource

  /** The names whose lines are shown instead of a chip, because the user has opened or typed them. */
  opened: readonly string[] = $state.raw([])
  /** The text that the user typed last. Its lines keep their places. */
  #last = $state.raw<{ text: string; book: readonly NamedAddress[]; folded: FoldedLines } | null>(null)

  /** The named addresses that the list contains completely. */
  readonly present: readonly NamedAddress[] = $derived.by(() =>
    namedAddressesIn(this.#source.text.split('\n'), this.#source.book),
  )
  readonly #folded: FoldedLines = $derived.by(() => {
    const { text, book } = this.#source
    if (this.#last?.text === text && this.#last.book === book) return this.#last.folded
    return foldNamedAddresses(
      text,
      book.filter(({ name }) => !this.opened.includes(name)),
    )
  })
  /** The text of the field: the lines that no chip replaces. */
  readonly shown = $derived(unfoldedText(this.#folded))
  /** The number of each shown line in the whole list. */
  readonly numbers = $derived(shownLineNumbers(this.#folded))

  constructor(source: ListTextSource) {
    this.#source = source
  }

  /** Returns the findings about shown lines, with line numbers of the field. */
  shownFindings(findings: readonly Finding[]): Finding[] {
    const places = Object.fromEntries(this.numbers.map((number, at) => [number, at + 1]))
    return findings.flatMap((finding) => {
      const line = places[finding.line]
      return line === undefined ? [] : [{ ...finding, line }]
    })
  }

  /** Replaces the shown lines with the typed text. A named address that is typed completely doesn't become a chip. */
  type(typed: string): void {
    const { book } = this.#source
    const next = withShownText(this.#folded, typed)
    const text = textOf(next)
    const names = namedAddressesIn(text.split('\n'), book).map(({ name }) => name)
    const before = this.present.map(({ name }) => name)
    this.opened = [...this.opened, ...names.filter((one) => !before.includes(one))]
    // Lines of a named address that is no longer complete are shown again.
    const isWhole = next.every((one) => one.name === null || names.includes(one.name))
    this.#last = isWhole ? { text, book, folded: next } : null
    this.#source.set(text)
  }

  /** Adds the missing lines of a named address, and shows it as a chip. */
  insert({ name, lines }: NamedAddress): void {
    this.opened = this.opened.filter((one) => one !== name)
    const all = tidyLines([this.#source.text])
    this.#source.set([...all, ...addressesWithout(lines, all)].join('\n'))
  }

  /** Shows the lines of a named address, or its chip again. */
  toggle({ name }: NamedAddress): void {
    const others = this.opened.filter((one) => one !== name)
    this.opened = others.length < this.opened.length ? others : [...this.opened, name]
    this.#last = null
  }

  /** Removes the lines of a named address. Lines that another named address in the list shares stay, unless all would stay. */
  remove({ name, lines }: NamedAddress): void {
    const others = this.present.filter((one) => one.name !== name)
    const own = addressesWithout(
      lines,
      others.flatMap((one) => one.lines),
    )
    const removed = own.length > 0 ? own : lines
    this.#source.set(addressesWithout(tidyLines([this.#source.text]), removed).join('\n'))
  }
}
