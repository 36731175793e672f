// @ts-check
/** What is packed, and how it's installed. `scripts/dist.mjs` (npm run dist) runs it. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { releaseKey } from './scripts/release/key.mjs'
import { FALLBACK_MARK } from './scripts/runtime/fallback.mjs'
import { besideBundles, inProject } from './scripts/setup/project.mjs'

/**
 * Where the installed app looks for newer versions, as `latest*.yml` and the installers beside it: an https address. Without
 * one it looks nowhere, and has nothing with it that could.
 */
const feed = process.env['SITEWARD_UPDATE_FEED'] || null
if (feed !== null && !feed.startsWith('https://')) throw new Error('SITEWARD_UPDATE_FEED has to begin with https://')
// Without the key, whoever controls the feed's host would choose the next version.
const key = releaseKey()
if (feed !== null && key === null) throw new Error('A build with SITEWARD_UPDATE_FEED needs SITEWARD_RELEASE_KEY')

const packages = besideBundles.join('|')

/**
 * Of node_modules what isn't in the bundles already, and of that what is loaded on this system.
 *
 * @param {NodeJS.Platform} platform the one that is packed for, which needn't be the one that packs
 */
const unneeded = (platform) => [
  `!node_modules/!(${packages}){,/**}`,
  `!node_modules/@(${packages})/!(lib|prebuilds|package.json){,/**}`,
  '!node_modules/better-sqlite3/lib/{darwin,linux,linuxmusl,win32}-*.js',
  `!node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}.node)`,
  `!node_modules/keytar/prebuilds/!(${platform}-\${arch}){,/**}`,
]

const trayFolder = /** @type {const} */ ({ linux: 'linux', win32: 'windows', darwin: 'macos' })

/** The native modules that a package may have outside its archive (src/main/shell/native-modules.ts). */
const nativeModules = globSync(`node_modules/{${besideBundles.join(',')}}/prebuilds/**/*.node`, { cwd: inProject() })
  .filter((file) => /(linux|win32)-(x64|arm64)\b/.test(file))
  .map((file) =>
    createHash('sha512')
      .update(readFileSync(inProject(file)))
      .digest('base64'),
  )

/** @param {keyof typeof trayFolder} platform */
const files = (platform) => [
  'package.json',
  'out/**',
  'resources/icon.png',
  ...(platform === 'win32' ? ['resources/overlay*.png'] : []),
  `resources/tray/${trayFolder[platform]}/**`,
  '!out/{.built-from,*/licences.json,**/*.map}',
  ...(feed === null ? ['!out/main/chunks/updater-*'] : []),
  ...unneeded(platform),
]

/**
 * For both kinds of processors, whichever this one is.
 *
 * @param {string[]} targets
 * @returns {import('electron-builder').TargetConfiguration[]}
 */
const forBoth = (...targets) => targets.map((target) => ({ target, arch: ['x64', 'arm64'] }))

/**
 * Returns the translations of a key of the launcher's entry, such as `Name[de]`.
 *
 * @param {string} key
 * @param {string} message
 * @returns {Record<string, string>}
 */
function translated(key, message) {
  const files = globSync('src/messages/??.json', { cwd: inProject() }).filter((file) => !file.endsWith('en.json'))
  return Object.fromEntries(
    files.map((file) => [
      `${key}[${basename(file, '.json')}]`,
      JSON.parse(readFileSync(inProject(file), 'utf8'))[message],
    ]),
  )
}

/** What the launcher offers besides a start, where the program has its name in the PATH: for desktops without a tray. */
const withActions = {
  entry: { Actions: 'add-website;', ...translated('Comment', 'connect_about') },
  desktopActions: {
    'add-website': { Name: 'Add Website', ...translated('Name', 'list_add'), Exec: 'siteward siteward://add' },
  },
}

/** @type {import('electron-builder').Configuration} */
export default {
  appId: 'app.siteward.desktop',
  productName: 'Siteward',
  copyright: 'MIT License',
  directories: { output: 'dist', buildResources: 'resources' },
  // What isn't a binary stays where its integrity is checked.
  asar: { smartUnpack: false },
  asarUnpack: ['**/*.node'],
  afterPack: ({ appOutDir }) => {
    if (existsSync(join(appOutDir, FALLBACK_MARK))) throw new Error('The development fallback must not be packaged.')
  },
  // Both native modules come built, for Node's stable interface.
  npmRebuild: false,
  extraResources: [{ from: '.cache/licences.txt', to: 'licences.txt' }],
  protocols: [{ name: 'Siteward', schemes: ['siteward'] }],
  // The app verifies updates with the key (src/main/updates/signature.ts).
  extraMetadata: { nativeModules, ...(key === null ? {} : { releaseKey: key.public }) },
  publish: feed === null ? null : { provider: 'generic', url: feed },
  // What looks for newer versions tells them by their signature.
  forceCodeSigning: feed !== null,
  // What turns the installed binary into a Node, or lets another program look into it.
  electronFuses: {
    // On Apple silicon a binary that was changed starts only signed anew, be it by nobody.
    resetAdHocDarwinSignature: true,
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
  linux: {
    target: forBoth('deb', 'rpm', 'AppImage'),
    files: files('linux'),
    icon: 'resources/icon.png',
    category: 'Network;Utility',
    synopsis: 'Websites of a web-analytics service, from the tray',
    maintainer: 'Siteward maintainers <maintainers@siteward.invalid>',
    desktop: { entry: { Keywords: 'analytics;websites;statistics;' } },
    // Windows belong to the entry of the name that package.json gives (`desktopName`).
    syncDesktopName: true,
  },
  // The keychain and what shows a tray icon: without them it runs, and says what is missing.
  deb: {
    desktop: withActions,
    recommends: ['libsecret-1-0', 'gnome-keyring | kwalletmanager', 'libayatana-appindicator3-1'],
  },
  // fpm has no name of its own for what rpm recommends; libraries have the same name on all of rpm's systems.
  rpm: { desktop: withActions, fpm: ['--rpm-tag', 'Recommends: libsecret-1.so.0()(64bit)'] },
  // A newer version takes the file's place, so its name tells none: the session starts it by that name. Chromium's sandbox is
  // left on where the system lets it be.
  appImage: { artifactName: 'Siteward-${arch}.AppImage', executableArgs: [] },
  win: { target: forBoth('nsis'), files: files('win32'), icon: 'resources/icon.png' },
  // Without an administrator, and what the person has written stays when it's removed.
  nsis: {
    // One that asks would offer to install for everybody, where an administrator runs it.
    oneClick: true,
    perMachine: false,
    deleteAppDataOnUninstall: false,
    include: 'resources/uninstaller.nsh',
  },
  mac: {
    target: forBoth('dmg', 'zip'),
    files: files('darwin'),
    icon: 'resources/icon.png',
    category: 'public.app-category.business',
    hardenedRuntime: true,
    // electron-builder's own entitlements would also let the app load code that nobody signed.
    entitlements: 'resources/entitlements.mac.plist',
    entitlementsInherit: 'resources/entitlements.mac.plist',
  },
}
