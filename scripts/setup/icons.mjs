// @ts-check
import { inProject } from './project.mjs'

const OF_THE_LIBRARY = /[\\/]@lucide[\\/]svelte[\\/]dist[\\/]icons[\\/]/

/**
 * The library draws each icon so that any part of it may change at any time, which takes a tenth of all that the page does
 * until its list is there. Ours are drawn once, by our own component.
 *
 * @returns {import('vite').Plugin}
 */
export const icons = () => ({
  name: 'icons',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '../Icon.svelte' && OF_THE_LIBRARY.test(importer ?? '')
      ? inProject('src', 'renderer', 'ui', 'Icon.svelte')
      : null,
})
