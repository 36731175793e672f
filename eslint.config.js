import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

/** An import that a folder may not have: a regular expression over what stands between the quotes. */
const no = (regex, message, options) => ({ regex, message, ...options })

/** The same for `import('…')`, and for `import('…').Type`, which the rule for imports doesn't see. */
const inExpression = ({ regex, message, allowTypeImports = false }) => {
  const node = allowTypeImports ? 'ImportExpression' : ':matches(ImportExpression, TSImportType)'
  return { selector: `${node}[source.value=/${regex.replaceAll('/', '\\u002f')}/]`, message }
}
const unnamedImport = { selector: 'ImportExpression[source.type!="Literal"]', message: 'Name what is imported.' }

/**
 * Imports run one way: each zone names what its files may not import, in whatever form, and which syntax they may not
 * use. No file is in two zones: the last would win.
 */
const zone = (files, patterns, { syntax = [], ...rules } = {}) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': ['error', { patterns }],
    'no-restricted-syntax': [
      'error',
      unnamedImport,
      ...patterns.filter(({ regex }) => regex !== undefined).map(inExpression),
      ...syntax,
    ],
    ...rules,
  },
})

const globalNames = (names, message) => ['error', ...names.map((name) => ({ name, message }))]

const notNamed = (name, file) => ({ group: ['electron'], importNames: [name], message: `Raw ${name} is for ${file}.` })
/** The same through a default import, or out of `import('electron')`. */
const notReached = (name, file) => ({
  syntax: [
    `MemberExpression[property.name="${name}"]`,
    `MemberExpression[property.value="${name}"]`,
    `ObjectPattern > Property[key.name="${name}"]`,
  ].map((selector) => ({ selector, message: `Raw ${name} is for ${file}.` })),
})
const registrar = ['ipcMain', 'ipc/registrar.ts']

const noElectron = no('^electron(/|$)', 'Electron is for shell, ipc, compose, index and preload.')
const later = (...parts) =>
  no(`^(\\.\\./)+(${['renderer', ...parts].join('|')})(/|\\.ts$)`, 'Imports run one way, and this part comes later.')
const start = ['compose(-[a-z]+)?', 'index']
const typesAlone = { allowTypeImports: true }

const ownedByMain = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'localStorage',
  'sessionStorage',
  'indexedDB',
]
const message = 'HTTP and storage are for main.'

const world = [
  ...ownedByMain,
  ...['setTimeout', 'setInterval', 'setImmediate', 'performance', 'process', 'crypto', 'navigator', 'console'],
  ...['globalThis', 'global', 'window', 'self'],
]
const pure = 'The outbox is pure: the world comes in through its ports.'
/** What else tells the time, or something new each time it's asked. */
const impure = {
  'no-restricted-globals': globalNames(world, pure),
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: pure },
    { object: 'Math', property: 'random', message: pure },
    { object: 'AbortSignal', property: 'timeout', message: pure },
  ],
  syntax: [
    'ImportExpression',
    'NewExpression[callee.name="Date"][arguments.length=0]',
    'CallExpression[callee.name="Date"]',
  ].map((selector) => ({ selector, message: pure })),
}

/** The rules of the outbox for files that are so many folders below src/main. */
const outboxZone = (files, depth) =>
  zone(
    [files],
    [
      no('^(?!\\.{1,2}/|zod$)', pure),
      no(
        `^(\\.\\./){${depth},}(?!\\.\\./|shared/|service/|messages/index\\.ts$)`,
        'The outbox imports the shared, the messages, and the types of the service.',
      ),
      no(`^(\\.\\./){${depth},}service/`, 'Types alone: the service comes in through a port.', typesAlone),
    ],
    impure,
  )

const viaShared = 'Features import each other through features/shared only; features/shell puts them together.'
const otherFeature = '?!\\.\\./|shared/'

const rendererZone = (files, patterns = []) =>
  zone(
    [files],
    [
      no('^(?!\\.{1,2}/|svelte(/|$)|@lucide/svelte(/icons/|$)|bits-ui$|papaparse$|ipaddr\\.js$)', 'Not here.'),
      no('^(\\.\\./)+main/', 'The renderer knows what the bridge tells.'),
      no('^(\\.\\./)+preload/(?!bridge\\.ts$)', 'The renderer knows what the bridge tells.'),
      no('^(\\.\\./)+preload/bridge\\.ts$', 'Types alone: the bridge itself is window.siteward.', typesAlone),
      ...patterns,
    ],
    {
      'no-restricted-globals': globalNames(ownedByMain, message),
      'no-restricted-properties': [
        'error',
        ...['window', 'globalThis', 'self'].flatMap((object) =>
          ownedByMain.map((property) => ({ object, property, message })),
        ),
      ],
    },
  )

const zones = [
  zone(
    ['src/shared/*.ts'],
    [
      no(
        '^(?!zod$|ipaddr\\.js$|\\./|\\.\\./messages/index\\.ts$)',
        'The shared imports zod, ipaddr.js, itself and the messages.',
      ),
    ],
  ),
  zone(
    ['src/shared/display/*.ts'],
    [
      no(
        '^(?!punycode/$|\\./|\\.\\./[\\w-]+\\.ts$|\\.\\./\\.\\./messages/index\\.ts$)',
        'How things are displayed imports punycode, the shared and the messages.',
      ),
    ],
  ),
  rendererZone('src/renderer/*.{ts,svelte}'),
  rendererZone('src/renderer/app/**'),
  rendererZone('src/renderer/lib/**', [
    no('^(\\.\\./)+(app|features|ui)/', 'lib holds helpers that know nothing of components.'),
    no('^(svelte|bits-ui|@lucide)(/|$)', 'lib holds helpers that know nothing of components.'),
  ]),
  rendererZone('src/renderer/ui/**', [no('^(\\.\\./)+(app|features)/', 'ui holds general components.')]),
  rendererZone('src/renderer/features/shell/**'),
  rendererZone('src/renderer/features/!(shell)/*', [no(`^\\.\\./(${otherFeature})`, viaShared)]),
  rendererZone('src/renderer/features/!(shell)/*/*', [no(`^(\\.\\./){2}(${otherFeature})`, viaShared)]),
  zone(['src/preload/index.ts'], [no('^(\\.\\./)+(main|renderer)/', 'Preload stands between the two.')]),
  zone(
    ['src/preload/!(index).ts'],
    [noElectron, no('^(\\.\\./)+(?!\\.\\./|shared/)', 'The contract speaks of the shared alone.')],
    notReached('ipcRenderer', 'preload/index.ts'),
  ),
  outboxZone('src/main/outbox/*.ts', 1),
  outboxZone('src/main/outbox/*/*.ts', 2),
  zone(
    ['src/main/sample/**'],
    [noElectron, no('^(\\.\\./)+(?!\\.\\./|shared/)', 'It shares no code with the client.')],
  ),
  zone(
    ['src/main/{service,storage,replica,secrets,connectivity,log}/**'],
    [noElectron, later('preload', 'messages', 'words', 'sample', 'connection', 'ipc', 'shell', ...start)],
  ),
  zone(
    ['src/main/{connection,diagnostics,network,updates}/**'],
    [noElectron, later('preload', 'ipc', 'shell', ...start)],
  ),
  zone(['src/main/ipc/registrar.ts'], [later('sample', 'shell', ...start)]),
  zone(
    ['src/main/ipc/!(registrar).ts', 'src/main/shell/**'],
    [notNamed(...registrar), later('sample', ...start)],
    notReached(...registrar),
  ),
  // The composition root: compose.ts, what stands beside it, and the start.
  zone(['src/main/*.ts'], [notNamed(...registrar), later()], notReached(...registrar)),
]

export default ts.config(
  {
    ignores: [
      'out',
      'dist',
      'coverage',
      'node_modules',
      'test-results',
      'playwright-report',
      '.cache',
      'src/messages/compiled',
    ],
  },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  { rules: { 'no-undef': 'off', '@typescript-eslint/no-invalid-void-type': 'off' } },
  ...zones,
)
