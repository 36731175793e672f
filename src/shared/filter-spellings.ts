import type { ChoiceName } from './search.ts'

type Choice = readonly [ChoiceName, string]

interface Choices {
  /** As the list says it. */
  values: Readonly<Record<string, Choice>>
  /** Other words that are taken. */
  former?: Readonly<Record<string, Choice>>
}

const onOff = (name: ChoiceName) => ({ on: [name, 'on'], off: [name, 'off'] }) as const
const yesNo = (name: ChoiceName) => ({ yes: [name, 'yes'], no: [name, 'no'] }) as const

/** What filters of a choice are called, by the heads of the columns, and what stands in those; and what else they're called. */
const columnChoices = {
  privacy: {
    values: { public: ['privacy', 'public'], private: ['privacy', 'private'], password: ['privacy', 'password'] },
  },
  reports: { values: onOff('email') },
  bots: { values: { excluded: ['bots', 'on'], counted: ['bots', 'off'] }, former: onOff('bots') },
  state: {
    values: { waiting: ['pending', 'yes'], 'needs you': ['parked', 'yes'], elsewhere: ['elsewhere', 'yes'] },
  },
  batch: {
    values: {
      all: ['batch', 'all'],
      sent: ['batch', 'sent'],
      waiting: ['batch', 'waiting'],
      'needs you': ['batch', 'parked'],
      'not sent': ['batch', 'back'],
    },
  },
} as const satisfies Record<string, Choices>
const formerChoices = {
  email: { values: onOff('email') },
  pending: { values: yesNo('pending') },
  parked: { values: yesNo('parked') },
  elsewhere: { values: yesNo('elsewhere') },
} as const satisfies Record<string, Choices>

type ColumnChoice = keyof typeof columnChoices
type FormerChoice = keyof typeof formerChoices
/** The name of a filter as it's written. */
export type SpelledName = ColumnChoice | FormerChoice | 'ips' | 'ip' | 'differs'

/** Those that are offered first, and told of. */
export const spelledNames: readonly SpelledName[] = [
  ...(Object.keys(columnChoices) as ColumnChoice[]),
  'ips',
  'differs',
]
/** Those that are taken too. */
export const formerNames: readonly SpelledName[] = [...(Object.keys(formerChoices) as FormerChoice[]), 'ip']

const choices: Readonly<Record<string, Choices>> = { ...columnChoices, ...formerChoices }

export const isSpelledName = (name: string): name is SpelledName =>
  spelledNames.some((one) => one === name) || formerNames.some((one) => one === name)

/** What may stand after a name; empty where that isn't a choice. `more`: what is taken too. */
export const spelledValues = (name: SpelledName): string[] => Object.keys(choices[name]?.values ?? {})
export const formerValues = (name: SpelledName): string[] => Object.keys(choices[name]?.former ?? {})

/** What is meant by a value, in any case; undefined: it isn't one of that name. */
export function choiceOf(name: SpelledName, value: string): Choice | undefined {
  const { values = {}, former = {} } = choices[name] ?? {}
  return Object.entries({ ...values, ...former }).find(([word]) => word === value.toLowerCase())?.[1]
}
