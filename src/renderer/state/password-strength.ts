/** How a password stands up to who tries many, and what makes it less than it looks. */
export interface Strength {
  grade: 'easy' | 'fair' | 'hard'
  why: 'known' | 'domain' | 'row' | 'short' | null
}

/** Bits below which a program that tries passwords over the network gets there in days, and in years. */
const [EASY, FAIR] = [30, 55]
const WORD_LETTER = 2 // bits of each letter of a word but its first, as languages have it
const STEMS =
  'password passwort passord letmein welcome willkommen qwerty azerty qwertz asdf admin login secret master dragon monkey sunshine iloveyou football baseball superman analytics statistics stats website default changeme test hello'.split(
    ' ',
  )
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
]
const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** An estimate, and a low one: what is read as a word, a row or a repetition counts for little. `domain`: the website's. */
export function strengthOf(password: string, domain: string): Strength {
  const plain = password.toLowerCase()
  const names = domain
    .toLowerCase()
    .split('.')
    .filter((label) => label.length > 3)
  const [withoutNames, named] = without(plain, names)
  const [withoutStems, known] = without(withoutNames, STEMS)
  const [rest, rows] = withoutRows(withoutStems)
  const bits = (named + known + rows) * 8 + restBits(rest, poolOf(password))
  if (bits >= FAIR) return { grade: 'hard', why: null }
  const why = known > 0 ? 'known' : named > 0 ? 'domain' : rows > 0 ? 'row' : 'short'
  return { grade: bits < EASY ? 'easy' : 'fair', why }
}

/** Takes words out, whether they are written plainly or with signs for letters. Answers what is left, and how many. */
function without(text: string, words: readonly string[]): [string, number] {
  let [rest, found] = [text, 0]
  for (const word of words) {
    for (let at = unleet(rest).indexOf(word); at >= 0; at = unleet(rest).indexOf(word)) {
      rest = `${rest.slice(0, at)}\n${rest.slice(at + word.length)}`
      found += 1
    }
  }
  return [rest, found]
}

const unleet = (text: string): string => text.replace(/[013457@$!]/g, (sign) => LEET[sign] ?? sign)

/** The same for what runs in a row, up or down, for repetitions and for years. */
function withoutRows(text: string): [string, number] {
  let found = 0
  const gone = (): string => {
    found += 1
    return '\n'
  }
  let rest = text.replace(/(.{1,4}?)\1{2,}/g, gone).replace(/(?:19|20)\d\d/g, gone)
  for (let at = 0; at + 3 < rest.length; at += 1) {
    const row = rowAt(rest, at)
    if (row > 3) rest = rest.slice(0, at) + gone() + rest.slice(at + row)
  }
  return [rest, found]
}

/** How many characters from here on follow one another on a keyboard or in the alphabet. */
function rowAt(text: string, at: number): number {
  let length = 1
  for (const row of ROWS.flatMap((each) => [each, [...each].reverse().join('')])) {
    let n = 1
    while (at + n < text.length && row.includes(text.slice(at, at + n + 1))) n += 1
    length = Math.max(length, n)
  }
  return length
}

/** Bits of each character where all of its kind are as likely. */
function poolOf(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^A-Za-z\d]/, 32],
  ]
  return Math.log2(kinds.reduce((sum, [kind, n]) => sum + (kind.test(password) ? n : 0), 0) || 1)
}

/** What looks as if it could be said is counted as words are. */
function restBits(rest: string, each: number): number {
  const characters = [...rest.replaceAll('\n', '')].length
  const words = rest.match(/[a-z]{4,}/g)?.filter(isSayable) ?? []
  const inWords = words.reduce((sum, word) => sum + word.length, 0)
  return (characters - inWords) * each + words.reduce((sum, word) => sum + 4.7 + (word.length - 1) * WORD_LETTER, 0)
}

function isSayable(word: string): boolean {
  const vowels = word.match(/[aeiouy]/g)?.length ?? 0
  return vowels / word.length > 0.2 && vowels / word.length < 0.7 && !/[^aeiouy]{4}/.test(word)
}
