import { z } from 'zod'
import { ok } from '../../shared/result.ts'
import { exportedEditSchema, exportedWebsiteSchema } from './export-file.ts'
import { checkImported } from './import-check.ts'
import { createImportPlan, type ImportRow, type Taken } from './import-plan.ts'
import type { OutboxStore } from './ports.ts'

export type { Taken } from './import-plan.ts'

/** A website of a file, null: that isn't in it; and what the file has of its edits, which nobody has checked yet. */
export const storySchema = z.object({ website: exportedWebsiteSchema.nullable(), edits: z.array(z.unknown()) })
export type Story = z.infer<typeof storySchema>

/** Checks what there is of these websites and takes what can be. Within a write. */
export function takeStories(store: OutboxStore, newKey: () => string, stories: readonly Story[]): Taken {
  const plan = createImportPlan(store, newKey)
  plan.add(stories.flatMap(({ website, edits }) => edits.map((row) => readRow(row, website))))
  return plan.carryOut()
}

function readRow(row: unknown, website: Story['website']): ImportRow {
  const edit = exportedEditSchema.safeParse(row).data ?? null
  const checked = edit === null || website === null ? ok(undefined) : checkImported(edit, website)
  return { edit, website, error: checked.ok ? null : checked.error }
}
