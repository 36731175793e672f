import type { RunOptions } from 'axe-core'

/** Makes axe faster: it collects no details about passed rules and loads no style sheets, which only experimental rules read. */
export const axeOptions: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] } }

/** Checks only the rules about colors, for a second run in the dark color scheme. */
export const colorOptions: RunOptions = { ...axeOptions, runOnly: ['color-contrast', 'link-in-text-block'] }
