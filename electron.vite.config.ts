import { resolve } from 'node:path'
import { defineConfig } from 'electron-vite'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { commands, events } from './src/preload/bridge.ts'
import { dependencies } from './package.json' with { type: 'json' }
import { besideBundles } from './scripts/setup/project.mjs'

/** Packed beside the bundles they would bring every file of theirs; so they're bundled, with what is reached of them. */
const bundled = Object.keys(dependencies).filter((name) => !besideBundles.includes(name))

/** The log names an error by its type and its position in the bundle. The source maps beside the bundle lead from there to the source. */
const named = { function: true, class: true }
const small = { mangle: { keepNames: named }, compress: { keepNames: named } }

/** What looks for newer versions is a script of its own: electron-builder packs it only where there's a feed to ask. */
const chunkName = ({ facadeModuleId }: { facadeModuleId?: string | null }): string =>
  facadeModuleId?.includes('/electron-updater/') === true ? 'chunks/updater-[hash].js' : 'chunks/[name]-[hash].js'

/** The licenses of what is bundled, for scripts/licences.mjs. */
const license = { fileName: 'licences.json' }

export default defineConfig(({ command }) => ({
  main: {
    build: {
      minify: command === 'build',
      sourcemap: 'hidden',
      externalizeDeps: { exclude: bundled },
      license,
      rollupOptions: {
        output: { ...(command === 'build' && { minify: small }), chunkFileNames: chunkName },
        // A worker is a script of its own beside the app's.
        input: {
          index: resolve('src/main/index.ts'),
          'prepare-worker': resolve('src/main/storage/prepare-worker.ts'),
          'import-worker': resolve('src/main/import-worker.ts'),
          'table-worker': resolve('src/main/table-worker.ts'),
        },
      },
    },
  },
  // A sandboxed preload can't load ES modules or packages: one CommonJS file with everything in it.
  preload: {
    // Read once: restart `npm run dev` after adding a command or an event.
    define: {
      COMMAND_NAMES: JSON.stringify(Object.keys(commands)),
      EVENT_NAMES: JSON.stringify(Object.keys(events)),
    },
    build: {
      externalizeDeps: false,
      license,
      rollupOptions: { input: resolve('src/preload/index.ts'), output: { format: 'cjs', entryFileNames: 'index.cjs' } },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [svelte({ configFile: resolve('svelte.config.js') })],
    build: {
      license,
      // Without this, electron-vite does not minify. The window parses the bundle at each opening, so it is kept small.
      minify: true,
      rollupOptions: {
        input: resolve('src/renderer/index.html'),
        // The modules of src/shared only declare things, so the page leaves out those from which it takes nothing.
        treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]shared[\\/]/, sideEffects: false }] },
      },
    },
  },
}))
