import axe from 'axe-core'
import { cdp } from 'vitest/browser'
import { expect } from 'vitest'
import { axeOptions, colorOptions } from '../../axe-options.ts'

// vitest's own type of the CDP session lacks its methods.
interface Media {
  send(method: 'Emulation.setEmulatedMedia', params: { features: { name: string; value: string }[] }): Promise<unknown>
}

/** Emulates a color scheme, and always reduced motion. An empty scheme ends only the emulation of the color scheme. */
const emulateColorScheme = (scheme: 'light' | 'dark' | ''): Promise<unknown> =>
  (cdp() as unknown as Media).send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  })

/** Expects no violation of any axe rule in the light color scheme, and none of a color rule in the dark one. */
export async function expectAccessible(): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await emulateColorScheme(scheme)
    await expect.poll(() => matchMedia(`(prefers-color-scheme: ${scheme})`).matches).toBe(true)
    await settled()
    const { violations } = await axe.run(document.body, scheme === 'light' ? axeOptions : colorOptions)
    const violationTexts = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${scheme}: ${id} (${help}) at ${node.target.join(' ')}: ${node.failureSummary}`),
    )
    expect(violationTexts).toEqual([])
  }
  await emulateColorScheme('')
}

/** Waits until animations end, because an element that fades in doesn't have its final color yet. */
async function settled(): Promise<void> {
  const passing = document.getAnimations().filter((each) => each.effect?.getTiming().iterations !== Infinity)
  await Promise.allSettled(passing.map((each) => each.finished))
}
