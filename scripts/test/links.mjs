// @ts-check
/**
 * Checks that every relative link in a Markdown file, and every reference in code to something in docs/, names a file and a heading
 * that exist, and that a link whose text is the name of a file leads to that file. Prints the broken links and exits with 1 if there
 * are any.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { root } from '../setup/project.mjs'

const pathsIn = (/** @type {string[]} */ patterns) => globSync(patterns, { cwd: root })
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

const anchorOf = (/** @type {string} */ heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (/** @type {string} */ path) =>
  new Set([...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading.trim())))

const targetExists = (/** @type {string} */ path, /** @type {string} */ anchor) =>
  existsSync(join(root, path)) && (anchor === '' || !path.endsWith('.md') || anchorsIn(path).has(anchor))

const pages = pathsIn(['*.md', '{docs,src,test,scripts}/**/*.md']).filter((path) => !path.includes('node_modules'))
const prose = (/** @type {string} */ path) => read(path).replace(/```[\s\S]*?```/g, '')

const inMarkdown = pages.flatMap((path) =>
  [...prose(path).matchAll(/\]\((?![a-z]+:)([^)\s#]*)#?([^)\s]*)\)/g)].flatMap(([, target = '', anchor = '']) => {
    const linked = target === '' ? path : normalize(join(dirname(path), target))
    return targetExists(linked, anchor) ? [] : [`${path}: ${target}${anchor && `#${anchor}`}`]
  }),
)
const misnamed = pages.flatMap((path) =>
  [...prose(path).matchAll(/\[`?([\w./-]+\.(?:ts|mjs|js|svelte|md))`?\]\((?![a-z]+:)([^)\s#]+)/g)].flatMap(
    ([, name = '', target = '']) =>
      basename(name) === basename(target) ? [] : [`${path}: ${name} leads to ${target}`],
  ),
)
const inCode = pathsIn(['*.{ts,js}', '{src,test,scripts}/**/*.{ts,svelte,mjs}']).flatMap((path) =>
  [...read(path).matchAll(/(?<![\w/.])(docs\/[\w/-]+(?:\.\w+)?)(?:#([\w-]+))?/g)].flatMap(
    ([link, page = '', anchor = '']) => (targetExists(page, anchor) ? [] : [`${path}: ${link}`]),
  ),
)

const broken = [...inMarkdown, ...misnamed, ...inCode]
if (broken.length > 0) {
  console.error(`These links lead nowhere, or to another file than they name:\n  ${broken.join('\n  ')}`)
  process.exitCode = 1
}
