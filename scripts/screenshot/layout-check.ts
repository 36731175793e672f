/** Finds texts on a screen that are not translated, cut off, or over each other. */
import type { Page } from 'playwright'

/** Returns the flaws of the shown screen for the report. `pseudo`: texts outside of pseudo-translation brackets count too. */
export const findFlaws = (page: Page, pseudo: boolean): Promise<string[]> => page.evaluate(flaws, pseudo)

/** Runs in the page, so nothing outside of this function can be used here. */
function flaws(pseudo: boolean): string[] {
  const found = new Set<string>()
  /** Elements with texts of the user, the service or `Intl`, which are not translated. `lang`: a language's own name. */
  const EXEMPT = '[data-external], bdi, time, kbd, code, pre, textarea, [lang]:not(html), .visually-hidden'
  const short = (text: string) => (text.length > 70 ? `${text.slice(0, 70)}…` : text)
  /**
   * Texts that are not translated: domains, addresses and paths, dates of `Intl`, requests, names that the sample service gives,
   * and the tags and the note of ways.ts.
   */
  const FOREIGN =
    /\S+\.(?:example|com)\S*|https?:\/\/\S+|\/tmp\/\S+|\w{3} \d+, \d{4}|\b(?:AM|PM|UTC)\b|[A-Z]+ \/api\/\S+|Northwind Agency|Europe\/Oslo|(?:Electron|Node) [\d.]+|not a domain|[a-d]{20,}\S*|^-?[a-z]+:\S*$|2001:db8\S*|^Home$|^English$|^client-a|renewal$|^Invoice in May.*|^(?:updated_at|favorite|false|id|en|site|visibility|mail)$/g
  /** Returns a text without its parts in brackets, which may be nested. */
  function outsideBrackets(text: string): string {
    const rest = text.replace(/⟦[^⟦⟧]*⟧/gu, '')
    return rest === text ? text : outsideBrackets(rest)
  }
  const isTranslated = (text: string) => !/\p{L}{2}/u.test(outsideBrackets(text).replace(FOREIGN, ''))

  interface Shown {
    text: string
    element: Element
    rects: DOMRect[]
  }
  const texts: Shown[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: element, textContent } = node
    const text = (textContent ?? '').trim()
    if (!element || text === '' || element.closest('script, style')) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (pseudo && !element.closest(EXEMPT) && !isTranslated(text)) found.add(`not translated: ${short(text)}`)
    if (element.closest('.visually-hidden, option')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    texts.push({ text, element, rects: [...range.getClientRects()].filter(({ width, height }) => width * height > 0) })
  }

  if (pseudo) {
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      if (element.closest('[data-external]') || !element.checkVisibility()) continue
      for (const name of ['aria-label', 'title', 'placeholder']) {
        const text = element.getAttribute(name) ?? ''
        if (!element.matches('time') && !isTranslated(text)) found.add(`not translated (${name}): ${short(text)}`)
      }
    }
  }

  /** Returns the ancestors that cut off overflowing content, up to the first one that scrolls. */
  function clippers(element: Element): { element: Element; ellipsis: boolean; scrolls: boolean }[] {
    const list = []
    for (let one: Element | null = element; one && one !== document.documentElement; one = one.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(one)
      if (overflowX === 'visible') continue
      const scrolls = overflowX === 'auto' || overflowX === 'scroll'
      list.push({ element: one, ellipsis: textOverflow === 'ellipsis', scrolls })
      if (scrolls) break
    }
    return list
  }
  const visible: { text: string; element: Element; rect: DOMRect }[] = []
  for (const { text, element, rects } of texts) {
    const around = clippers(element)
    for (const rect of rects) {
      // A text whose center is behind a dialog or scrolled away is not checked.
      const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2]
      const top = document.elementFromPoint(Math.min(x, innerWidth - 1), y)
      if (!top || !(element.contains(top) || top.contains(element))) continue
      visible.push({ text, element, rect })
      const hasEllipsis = around.some(({ ellipsis }) => ellipsis)
      const boxes = around.filter(({ scrolls }) => !scrolls).map(({ element: box }) => box.getBoundingClientRect())
      // Leaves out the label of an icon, which is for screen readers alone.
      if (boxes.some(({ width }) => width <= 2)) continue
      const cut = boxes.some(({ right }) => rect.right > right + 1)
      if (!hasEllipsis && cut) found.add(`cut off: ${short(text)}`)
      else if (!hasEllipsis && rect.right > innerWidth + 1 && !around.some(({ scrolls }) => scrolls))
        found.add(`outside of the window: ${short(text)}`)
    }
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) found.add('the window scrolls sideways')

  function clipped({ element, rect }: (typeof visible)[number]): DOMRect {
    let { left, top, right, bottom } = rect
    for (const { element: box } of clippers(element)) {
      const edge = box.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
      top = Math.max(top, edge.top)
      bottom = Math.min(bottom, edge.bottom)
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
  }
  /** Returns the dialog, menu or list that an element is in, or null. Texts of different layers may cover each other. */
  const layerOf = (element: Element) => element.closest('dialog, [role=menu], [role=listbox]')
  const shown = visible.map((one) => ({ ...one, rect: clipped(one) }))
  shown.forEach((one, at) => {
    for (const other of shown.slice(at + 1)) {
      if (one.element === other.element || layerOf(one.element) !== layerOf(other.element)) continue
      const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left)
      const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top)
      // A small overlap is no flaw: lines of text overlap by the space above and below their letters.
      if (width > 2 && height > 6) found.add(`overlapping: ${short(one.text)} / ${short(other.text)}`)
    }
  })
  return [...found]
}
