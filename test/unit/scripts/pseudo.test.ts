import { expect, test } from 'vitest'
import { pseudoCatalog, PSEUDO } from '../../../scripts/setup/pseudo.mjs'
import settings from '../../../src/messages/project.inlang/settings.json' with { type: 'json' }

test('the pseudo-translation is longer, accented, in brackets, and keeps placeholders', () => {
  const match = { 'plural=one': '{n} change', 'plural=other': '{n} changes' }
  const counted = [{ declarations: ['input count'], selectors: ['plural'], match }]
  const { saved, count } = pseudoCatalog({ saved: 'Saved to {place}.', count: counted })
  expect(saved).toMatch(/^⟦Šàṽéđ ţô \{place\}\. .+⟧$/)
  expect(String(saved).length).toBeGreaterThan('Saved to {place}.'.length * 1.3)
  expect(count).toEqual([
    { ...counted[0], match: { 'plural=one': '⟦{n} çĥàñĝé ļôŕ⟧', 'plural=other': '⟦{n} çĥàñĝéš ļôŕé⟧' } },
  ])
})

test('the app does not offer the pseudo-translation as a language', () => {
  expect(settings.locales).toEqual(['en', 'de', 'fr', 'es', 'ja'])
  expect(settings.locales).not.toContain(PSEUDO)
})
