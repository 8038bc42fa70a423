import react from '@vitejs/plugin-react'
import { createLogger, defaultClientConditions } from 'vite'
import type { LogOptions, Logger, Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { prerenderPlugin } from './scripts/prerender.ts'
import { installable } from './scripts/installable.ts'

/** Where `npm run dev` finds the venue; the built client is served by the venue itself. */
const venueOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`

const wireCode =
  /\/node_modules\/(rxjs|tslib|ofetch|destr|ufo|node-fetch-native|@socket\.io|socket\.io-\w+|engine\.io-\w+)\/|\0engine|\/streams\/|\/src\/(startStreams|emitter|state\/(evidence|placementStore|memberKvStore|memberStores|offlineStore|kvStore)|api\/(streamsApi|client|venue|pendingReads|refreshConfig))\.ts/
const interfaceCode =
  /\/src\/(ui|hooks(?!\/use(Days|Minute))|shell|router|state|api\/failureText|format\w*|pages\/(products|welcome\/useRiskNotice))[./]/

/** The wire speaks WebSocket alone, so engine.io's other transports stay out of the bundle. */
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

/**
 * Few files for each page, and none that carries what the page has no use for: React, what every page needs, the wire
 * and its streams, the parts of the interface, and the two halves of what Base UI does for them.
 */
const chunks = [
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 9 },
  { name: 'app', tags: ['$initial' as const], priority: 8 },
  {
    name: 'contract',
    test: /\/contract\/(?!chain|deposits|withdrawals|verification|uploads|selfLimits|fund|amount)|\/src\/uuid/,
    minShareCount: 2,
    priority: 7,
  },
  { name: 'streams', test: wireCode, priority: 5 },
  {
    name: 'sheet',
    test: /\/src\/ui\/(Sheet|useSheetDrag|ConfirmDialog)\.|@base-ui\/react\/dialog/,
    minShareCount: 2,
    priority: 4,
    includeDependenciesRecursively: true,
  },
  {
    name: 'behaviour',
    test: /@base-ui|@floating-ui|\/src\/ui\/(Tabs|Switch|Segments|Timeframes|DurationChips)\./,
    minShareCount: 2,
    priority: 3,
  },
  { name: 'parts', test: interfaceCode, minShareCount: 2, priority: 2 },
].map((group) => ({ includeDependenciesRecursively: false, ...group }))

/**
 * What Vite warns of and we mean: the start script is put in by the build itself, and what `composes … from` fetches is
 * parsed without its name, which would matter only to a `url()` in it.
 */
const meant = ['prerender/start.js', 'did not pass the `from` option']

function logger(): Logger {
  const own = createLogger()
  const isMeant = (text: string): boolean => meant.some((words) => text.includes(words))
  return Object.assign(Object.create(own) as Logger, {
    warn: (text: string, options?: LogOptions) => void (isMeant(text) || own.warn(text, options)),
    warnOnce: (text: string, options?: LogOptions) => void (isMeant(text) || own.warnOnce(text, options)),
  })
}

export default defineConfig({
  customLogger: logger(),
  plugins: [react(), webSocketOnly(), prerenderPlugin(), installable()],
  resolve: {
    // RxJS keeps its modern build behind this name; the default one carries ES5 helpers.
    conditions: ['es2015', ...defaultClientConditions],
    // React itself has had this hook since 18; the package only stands in where it is missing.
    alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
  },
  build: {
    outDir: 'dist/client',
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // One style sheet: no page waits for its own, and none moves when it arrives.
    cssCodeSplit: false,
    rolldownOptions: {
      // A page that takes one part of `src/ui` takes that part alone.
      treeshake: { moduleSideEffects: [{ test: /\/src\/ui\/[^/]+\.tsx?$/, sideEffects: false }] },
      output: {
        codeSplitting: { groups: chunks },
      },
    },
  },
  server: {
    proxy: {
      // The host stays the browser's own: the venue compares it with the origin of what changes something.
      '/api': { target: venueOrigin },
      '/socket.io': { target: venueOrigin, ws: true },
    },
  },
  test: {
    include: ['tests/{contract,streams,src,server}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Both of two cores, in threads: Vitest's own choice leaves one idle and starts a process for each file.
    pool: 'threads',
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Like the two above only a safety net: on a busy machine a second is not enough.
    expect: { poll: { timeout: 60_000 } },
  },
})
