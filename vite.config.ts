import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, normalizePath, type Plugin } from 'vite'
import { buildLogger } from './scripts/buildLogger.ts'
import { prerenderPlugin } from './scripts/prerender.ts'
import { installable } from './scripts/installable.ts'
import { holdOldestBrowsers } from './scripts/newerFeatures.ts'
import { buildTarget } from './scripts/oldestBrowsers.ts'

/** The venue for `npm run dev`; the built client is served by the venue itself. */
const venueOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`

/**
 * The wire opens a WebSocket, so engine.io's other transports stay out of its file: 1.4 kB, gzip; long polling has a file
 * of its own. The option `transports` does not achieve that, because engine.io's module of defaults names them all.
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

/** What several pages share, of the chart's, the proofs' and the forms' code too. */
const sharedModules = new RegExp(
  `^(${[
    String.raw`contract/[^/]+`,
    String.raw`contract/tlog/(note|merkle|base64)\.ts`,
    String.raw`src/((api|hooks|lib|router|shell|start|state|text|ui(/choices)?)/)?[^/]+`,
    String.raw`src/chart/(scale|sparkline|orderTimeframe|indicators/kinds)\.ts`,
    String.raw`src/proof/(receipt|keptReceipt|venueLogKeys)\.ts`,
    String.raw`src/features/forms/(quickSums|unclearAmount)\.ts`,
  ].join('|')})$`,
)

/** Files whose functions are nearly all called while the app starts: the browser compiles them while they arrive. */
const calledOnLoad = new Set(['react', 'app', 'main', 'streams', 'shared'])

/** Parts that several pages share, by what is on a page together; other features belong to one page or two. */
const sharedFeatures = {
  overviewParts: /^src\/features\/(account|market)\//,
  ordersParts: /^src\/features\/(lists|orders)\//,
}

/**
 * Few files for each page, with little code that the page does not use, by folder: React, what every page starts with,
 * the streams with what they import, the parts of the interface on Base UI, the shared features, and what several pages
 * share. A file of a few hundred bytes costs a page more than the bytes of its neighbours: on a
 * phone's network each takes a turn.
 */
const chunks = [
  { name: 'react', test: inProject(/^node_modules\/(react|react-dom|scheduler)\//), priority: 7 },
  { name: 'app', tags: ['$initial' as const], priority: 6 },
  {
    name: 'longPolling',
    test: inProject(/^(streams\/wire\/pollingTransport\.ts$|node_modules\/engine\.io-client\/.*\/polling)/),
    priority: 6,
  },
  {
    name: 'streams',
    test: inProject(/^(streams\/|src\/start\/startStreams\.ts$)/),
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
    test: inProject(sharedModules),
    minShareCount: 2,
    priority: 1,
  },
].map((group) => ({ includeDependenciesRecursively: false, ...group }))

export default defineConfig({
  customLogger: buildLogger(),
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
      // It says what is slow, which depends on the machine.
      checks: { bundlerTimings: false },
      input: 'src/main.tsx',
      // A page that imports one component of `src/ui` gets only that component, and the wire not long polling.
      treeshake: {
        moduleSideEffects: [
          { test: /\/src\/ui\/.+\.tsx?$|\/engine\.io-client\/.+\/polling/, sideEffects: false },
        ],
      },
      output: {
        codeSplitting: { groups: chunks },
        postBanner: ({ name }) => (calledOnLoad.has(name) ? '//# allFunctionsCalledOnLoad' : ''),
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
