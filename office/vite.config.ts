import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { buildLogger } from '../scripts/buildLogger.ts'
import { holdOldestBrowsers } from '../scripts/newerFeatures.ts'
import { buildTarget } from '../scripts/oldestBrowsers.ts'

const here = import.meta.dirname

/**
 * Builds the office as a page of its own. It shares no file with the members' app, so members load nothing of it,
 * and their service worker, which caches only files of their build, never intercepts it.
 */
export default defineConfig({
  root: here,
  base: '/office/',
  publicDir: false,
  customLogger: buildLogger(),
  plugins: [react(), holdOldestBrowsers()],
  resolve: {
    // React has had this hook since 18; the package only replaces it in older versions.
    alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
  },
  build: {
    outDir: resolve(here, '../dist/client/office'),
    emptyOutDir: true,
    manifest: true,
    target: buildTarget,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rolldownOptions: {
      // It says what is slow, which depends on the machine.
      checks: { bundlerTimings: false },
      treeshake: { moduleSideEffects: [{ test: /\/src\/ui\/.+\.tsx?$/, sideEffects: false }] },
    },
  },
})
