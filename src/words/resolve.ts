import { m } from '../messages/index.ts'
import { shortened } from '../shared/display/domain.ts'
import type { EditView, Resolution, ResolveWay, WaitReason } from '../shared/edit.ts'
import type { SideName } from '../renderer/features/pending/resolve/sides.ts'

export interface WayWords {
  action: string
  /** What it leads to, where the button alone doesn't say it. */
  hint?: string
}

const taking: WayWords = {
  action: 'Adopt and edit it',
  hint: 'Adopting takes the website that is there, with its statistics, and sends what differs.',
}

const usual: Record<Exclude<ResolveWay, 'units'>, WayWords> = {
  adopt: taking,
  recreate: {
    action: 'Create again',
    hint: 'Created again, it begins without statistics: those went with it.',
  },
  delete: { action: 'Delete anyway' },
  keep: { action: 'Keep the website' },
}

const forReason: Partial<Record<WaitReason, Partial<Record<ResolveWay, WayWords>>>> = {
  adopt: { adopt: { ...taking, action: 'It’s mine: adopt and edit' } },
  appeared: {
    adopt: { action: 'Keep it as mine' },
    delete: { action: 'Delete it' },
  },
}

/** What a way of resolving is called for this edit. */
export const wayWords = (edit: EditView, way: Exclude<ResolveWay, 'units'>): WayWords =>
  (edit.reason && forReason[edit.reason]?.[way]) ?? usual[way]

/** The sides that help to decide. */
export function sidesFor({ ways, kind }: EditView): readonly SideName[] {
  if (ways.includes('units')) return ['base', 'theirs', 'mine']
  return kind === 'delete' ? ['base', 'theirs'] : ['theirs', 'mine']
}

const settled: Record<ResolveWay, (domain: string) => string> = {
  units: (domain) => `What you chose for ${domain} will be sent.`,
  adopt: (domain) => `${domain} is adopted, and what differs will be sent.`,
  recreate: (domain) => `${domain} will be created again.`,
  delete: (domain) => `${domain} will be deleted.`,
  keep: (domain) => `${domain} is left as it is.`,
}

/** Said once it's decided. */
export const resolvedWords = ({ domain }: EditView, { way }: Resolution): string => settled[way](shortened(domain))

/** What is asked once more before something goes for good. */
export const deleteAnyway = (edit: EditView) => {
  const { action } = wayWords(edit, 'delete')
  const anyway = edit.reason === 'appeared' ? '' : ' anyway'
  return {
    title: `Delete ${shortened(edit.domain)}${anyway}?`,
    lost: m.delete_body(),
    action: anyway ? action : 'Delete',
  }
}

export const unitsWords = {
  anew: 'It was changed once more meanwhile. Choose anew.',
  theirs: 'All theirs',
  mine: 'All mine',
}
export const chooseWords = (unit: string): string => `Choose what to keep: ${unit}.`
