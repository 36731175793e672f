import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

/** An import that a folder may not have: a regular expression over what stands between the quotes. */
const no = (regex, message, options) => ({ regex, message, ...options })

/** Imports run one way: each zone names what its files may not import. No file is in two zones: the last would win. */
const zone = (files, patterns, rules) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }], ...rules },
})

const notNamed = (name, file) => ({ group: ['electron'], importNames: [name], message: `Raw ${name} is for ${file}.` })
/** The same through a default import. */
const notReached = (name, file) => ({
  'no-restricted-syntax': [
    'error',
    { selector: `MemberExpression[property.name="${name}"]`, message: `Raw ${name} is for ${file}.` },
  ],
})
const registrar = ['ipcMain', 'ipc/registrar.ts']

const noElectron = no('^electron(/|$)', 'Electron is for shell, ipc, compose, index and preload.')
const later = (...parts) =>
  no(`^(\\.\\./)+(${parts.join('|')})(/|\\.ts$)`, 'Imports run one way, and this part comes later.')
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

const zones = [
  zone(['src/shared/**'], [no('^(?!zod$|\\./)', 'What all processes share imports zod and itself.')]),
  zone(
    ['src/renderer/**'],
    [
      no('^(?!\\.{1,2}/|svelte(-sonner)?(/|$)|bits-ui$|@lucide/svelte/icons/|@tanstack/svelte-virtual$)', 'Not here.'),
      no('^(\\.\\./)+main/', 'The renderer knows what the bridge tells.'),
      no('^(\\.\\./)+preload/(?!bridge\\.ts$)', 'The renderer knows what the bridge tells.'),
      no('^(\\.\\./)+preload/bridge\\.ts$', 'Types alone: the bridge itself is window.siteward.', typesAlone),
    ],
    {
      'no-restricted-globals': ['error', ...ownedByMain.map((name) => ({ name, message }))],
      'no-restricted-properties': [
        'error',
        ...['window', 'globalThis', 'self'].flatMap((object) =>
          ownedByMain.map((property) => ({ object, property, message })),
        ),
      ],
    },
  ),
  zone(['src/preload/index.ts'], [no('^(\\.\\./)+(main|renderer)/', 'Preload stands between the two.')]),
  zone(
    ['src/preload/!(index).ts'],
    [noElectron, no('^(\\.\\./)+(?!\\.\\./|shared/)', 'The contract speaks of the shared alone.')],
    notReached('ipcRenderer', 'preload/index.ts'),
  ),
  zone(
    ['src/main/outbox/**'],
    [
      no('^(?!\\.{1,2}/|zod$)', 'The outbox is pure: the world comes in through its ports.'),
      no('^(\\.\\./)+(?!\\.\\./|shared/|service/)', 'The outbox imports the shared and the types of the service.'),
      no('^(\\.\\./)+service/', 'Types alone: the service comes in through a port.', typesAlone),
    ],
  ),
  zone(
    ['src/main/sample/**'],
    [noElectron, no('^(\\.\\./)+(?!\\.\\./|shared/)', 'It shares no code with the client.')],
  ),
  zone(
    ['src/main/{service,storage,replica,secrets,connectivity}/**'],
    [noElectron, later('sample', 'connection', 'ipc', 'shell', 'compose', 'index')],
  ),
  zone(['src/main/connection/**'], [noElectron, later('ipc', 'shell', 'compose', 'index')]),
  zone(['src/main/ipc/registrar.ts'], [later('sample', 'shell', 'compose', 'index')]),
  zone(
    ['src/main/ipc/!(registrar).ts', 'src/main/shell/**'],
    [notNamed(...registrar), later('sample', 'compose', 'index')],
    notReached(...registrar),
  ),
  zone(['src/main/*.ts'], [notNamed(...registrar)], notReached(...registrar)),
]

export default ts.config(
  { ignores: ['out', 'dist', 'coverage', 'node_modules', 'test-results', 'playwright-report', '.cache'] },
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
