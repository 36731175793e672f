import { z } from 'zod'
import { ok } from '../../shared/result.ts'
import { exportedEditSchema, exportedWebsiteSchema } from './export-file.ts'
import { checkImported } from './import-check.ts'
import { createImportPlan, type ImportRow, type Taken } from './import-plan.ts'
import type { OutboxStore } from './ports.ts'

export type { Taken } from './import-plan.ts'

/**
 * A website of a file, null: that isn't in it; and what the file has of its edits, which nobody has checked yet. `beside`: it
 * has another website of the domain, which the service has: that was kept after a create of its domain had been asked for.
 */
export const storySchema = z.object({
  website: exportedWebsiteSchema.nullable(),
  beside: z.boolean().default(false),
  edits: z.array(z.unknown()),
})
export type Story = z.infer<typeof storySchema>

/** Checks what there is of these websites and takes what can be. Within a write. */
export function takeStories(store: OutboxStore, newKey: () => string, stories: readonly Story[]): Taken {
  const plan = createImportPlan(store, newKey)
  plan.add(stories.flatMap(({ edits, ...story }) => edits.map((row) => readRow(row, story))))
  return plan.carryOut()
}

function readRow(row: unknown, { website, beside }: Omit<Story, 'edits'>): ImportRow {
  const edit = exportedEditSchema.safeParse(row).data ?? null
  const checked = edit === null || website === null ? ok(undefined) : checkImported(edit, website)
  return { edit, website, beside, error: checked.ok ? null : checked.error }
}
