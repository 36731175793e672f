import Globe from '@lucide/svelte/icons/globe'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-svelte'
import Icon from '../../src/renderer/ui/Icon.svelte'

const globe: [string, Record<string, string>][] = [
  ['circle', { cx: '12', cy: '12', r: '10' }],
  ['path', { d: 'M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20' }],
  ['path', { d: 'M2 12h20' }],
]

/** What is painted: each shape of it, and where. */
const drawn = (container: Element) =>
  [...container.querySelectorAll<SVGGraphicsElement>('svg, svg *')].map((shape) => {
    const { x, y, width, height } = shape.getBoundingClientRect()
    const { stroke, strokeWidth, strokeLinecap, strokeLinejoin, fill } = getComputedStyle(shape)
    const size = [x, y, width, height].map((length) => Math.round(length * 100) / 100)
    return { shape: shape.tagName, size, stroke, strokeWidth, strokeLinecap, strokeLinejoin, fill }
  })

test('an icon is drawn as the library draws it, and is nothing to be read out', async () => {
  const props = { size: '2rem', strokeWidth: 1.75 }
  const theirs = await render(Globe, { ...props, 'aria-hidden': true })
  const wanted = drawn(theirs.container)
  await theirs.unmount()
  const ours = await render(Icon, { ...props, icon: { node: globe } })
  expect(wanted).toHaveLength(4)
  expect(drawn(ours.container)).toEqual(wanted)
  expect(ours.container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
})
