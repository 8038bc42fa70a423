import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { createLogger, defaultClientConditions, defineConfig, normalizePath } from 'vite'
import type { LogOptions, Logger, Plugin } from 'vite'
import { prerenderPlugin } from './scripts/prerender.ts'
import { installable } from './scripts/installable.ts'
import { holdOldestBrowsers } from './scripts/newerFeatures.ts'
import { buildTarget } from './scripts/oldestBrowsers.ts'

/** The venue for `npm run dev`; the built client is served by the venue itself. */
const venueOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`

/**
 * The wire uses only WebSocket, so engine.io's other transports stay out of the bundle: 1.4 kB, gzip. Its option
 * `transports` does not achieve that, because its module of defaults names them all.
 */
function webSocketOnly(): Plugin {
  const virtual = '\0engine.io-websocket'
  let transport = ''
  return {
    name: 'websocket-only',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source !== './transports/index.js' || !importer?.includes('engine.io-client')) return null
      transport = (await this.resolve('./transports/websocket.js', importer))?.id ?? ''
      return transport === '' ? null : virtual
    },
    load: (id) =>
      id === virtual
        ? `import { WS } from ${JSON.stringify(transport)}\nexport const transports = { websocket: WS }`
        : null,
  }
}

const inProjectPath = (id: string): string => normalizePath(relative(import.meta.dirname, id))
/** Whether a module's path in the project matches. */
const inProject = (pattern: RegExp) => (id: string) => pattern.test(inProjectPath(id))

/** Parts that several pages share, by what is on a page together; other features belong to one page or two. */
const sharedFeatures = {
  overviewParts: /^src\/features\/(account|market)\//,
  ordersParts: /^src\/features\/(lists|orders)\//,
}

/**
 * Few files for each page, with little code that the page does not use, by folder: React, what every page starts with,
 * the streams with what they import, the parts of the interface on Base UI, the shared features, and what several pages
 * share, of the chart's code too. A file of a few hundred bytes costs a page more than the bytes of its neighbours: on a
 * phone's network each takes a turn.
 */
const chunks = [
  { name: 'react', test: inProject(/^node_modules\/(react|react-dom|scheduler)\//), priority: 7 },
  { name: 'app', tags: ['$initial' as const], priority: 6 },
  {
    name: 'streams',
    test: inProject(/^(streams\/|src\/startStreams\.ts$)/),
    includeDependenciesRecursively: true,
    priority: 5,
  },
  {
    name: 'tabs',
    test: inProject(/^src\/ui\/choices\/Tabs\b/),
    includeDependenciesRecursively: true,
    priority: 3,
  },
  {
    name: 'dialogs',
    test: inProject(/^(src\/ui\/dialogs|node_modules\/(@base-ui|@floating-ui|use-sync-external-store))\//),
    minShareCount: 2,
    priority: 2,
  },
  ...Object.entries(sharedFeatures).map(([name, folders]) => ({
    name,
    test: inProject(folders),
    minShareCount: 2,
    priority: 1,
  })),
  {
    name: 'shared',
    test: inProject(
      /^(contract|src(\/(api|hooks|router|shell|state|ui(\/choices)?))?)\/[^/]+$|^src\/chart\/(scale|indicators\/kinds)\.ts$/,
    ),
    minShareCount: 2,
    priority: 1,
  },
].map((group) => ({ includeDependenciesRecursively: false, ...group }))

/**
 * A warning of Vite that does not apply: what `composes … from` loads is parsed without its name, which matters only to
 * a `url()` in it.
 */
const expectedWarning = 'did not pass the `from` option'

function logger(): Logger {
  const defaultLogger = createLogger()
  const isExpected = (text: string): boolean => text.includes(expectedWarning)
  return Object.assign(Object.create(defaultLogger) as Logger, {
    warn: (text: string, options?: LogOptions) =>
      void (isExpected(text) || defaultLogger.warn(text, options)),
    warnOnce: (text: string, options?: LogOptions) =>
      void (isExpected(text) || defaultLogger.warnOnce(text, options)),
  })
}

export default defineConfig({
  customLogger: logger(),
  plugins: [react(), webSocketOnly(), prerenderPlugin(), installable(), holdOldestBrowsers()],
  resolve: {
    // RxJS exports its modern build under this condition; the default one has ES5 helpers.
    conditions: ['es2015', ...defaultClientConditions],
    // React has had this hook since 18; the package only replaces it in older versions.
    alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
  },
  build: {
    outDir: 'dist/client',
    manifest: true,
    target: buildTarget,
    modulePreload: { polyfill: false },
    // One style sheet, so no page waits for its own or shifts when it arrives.
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/main.tsx',
      // A page that imports one component of `src/ui` gets only that component.
      treeshake: { moduleSideEffects: [{ test: /\/src\/ui\/.+\.tsx?$/, sideEffects: false }] },
      output: {
        codeSplitting: { groups: chunks },
      },
    },
  },
  server: {
    proxy: {
      // The Host header stays the browser's: the venue compares it with the Origin of requests that change something.
      '/api': { target: venueOrigin },
      '/desk': { target: venueOrigin },
      '/log': { target: venueOrigin },
      '/replay': { target: venueOrigin },
      '/socket.io': { target: venueOrigin, ws: true },
    },
  },
})
