// @ts-check
/** A pseudo-translation of the English catalog. It shows which texts are not translated, and which have too little room. */

/** The locale of the pseudo-translation, by the convention of Android and CLDR. */
export const PSEUDO = 'en-XA'

const accented = /** @type {Record<string, string>} */ (
  Object.fromEntries(
    [...'aàbƀcçdđeéfƒgĝhĥiîjĵkķlļmɱnñoôpþrŕsštţuûvṽwŵyýzžAÀBßCÇDÐEÉGĜHĤIÎJĴKĶLĻNÑOÔPÞRŔSŠTŢUÛVṼWŴYÝZŽ']
      .join('')
      .match(/../gu)
      ?.map((pair) => [...pair]) ?? [],
  )
)
const FILLER = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'

/** @param {string} text */
const accent = (text) => text.replace(/\p{L}/gu, (letter) => accented[letter] ?? letter)

/** @param {string} text */
const pseudoText = (text) => {
  const parts = text.split(/(\{\w+\})/)
  const more = Math.ceil(parts.filter((_, at) => at % 2 === 0).join('').length * 0.4)
  const filler = FILLER.repeat(Math.ceil(more / FILLER.length))
    .slice(0, more)
    .trim()
  return `⟦${parts.map((part, at) => (at % 2 === 0 ? accent(part) : part)).join('')} ${accent(filler)}⟧`
}

/** @typedef {string | { declarations: string[], selectors: string[], match: Record<string, string> }[]} Message */

/**
 * @param {Record<string, Message>} english
 * @returns {Record<string, Message>}
 */
export const pseudoCatalog = (english) =>
  Object.fromEntries(
    Object.entries(english).map(([key, message]) => [
      key,
      typeof message === 'string'
        ? pseudoText(message)
        : message.map((variants) => ({
            ...variants,
            match: Object.fromEntries(Object.entries(variants.match).map(([form, text]) => [form, pseudoText(text)])),
          })),
    ]),
  )
