import type { RunOptions } from 'axe-core'

/**
 * Leaves out work whose results no test reads: the details of passed rules, and the rules of all style sheets, which
 * only experimental rules use.
 */
export const axeOptions: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] } }

/** The rules that depend on colors. All other rules find the same in light and in dark. */
export const colorOptions: RunOptions = { ...axeOptions, runOnly: ['color-contrast', 'link-in-text-block'] }
