import react from '@vitejs/plugin-react'
import { createLogger, defaultClientConditions, defineConfig } from 'vite'
import type { LogOptions, Logger, Plugin } from 'vite'
import { prerenderPlugin } from './scripts/prerender.ts'
import { installable } from './scripts/installable.ts'

/** The venue for `npm run dev`; the built client is served by the venue itself. */
const venueOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`

const wireCode =
  /\/node_modules\/(rxjs|tslib|ofetch|destr|ufo|node-fetch-native|@socket\.io|socket\.io-\w+|engine\.io-\w+)\/|\0engine|\/streams\/|\/src\/(startStreams|emitter|state\/(evidence|placementStore|memberKvStore|memberStores|offlineStore|kvStore)|api\/(streamsApi|client|venue|pendingReads|refreshConfig))\.ts/
const interfaceCode =
  /\/src\/(ui|chart\/scale|hooks(?!\/use(Days|Minute))|shell|resource|router|state|api\/failureText|format\w*|features\/(market|content\/useRiskNotice))[./]/

/** The wire uses only WebSocket, so engine.io's other transports stay out of the bundle. */
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
 * Few files for each page, without code that the page does not use: React, what every page needs, the wire and its
 * streams, the interface components, and Base UI in two parts.
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
  plugins: [react(), webSocketOnly(), prerenderPlugin(), installable()],
  resolve: {
    // RxJS exports its modern build under this condition; the default one has ES5 helpers.
    conditions: ['es2015', ...defaultClientConditions],
    // React has had this hook since 18; the package only replaces it in older versions.
    alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
  },
  build: {
    outDir: 'dist/client',
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // One style sheet, so no page waits for its own or shifts when it arrives.
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/main.tsx',
      // A page that imports one component of `src/ui` gets only that component.
      treeshake: { moduleSideEffects: [{ test: /\/src\/ui\/[^/]+\.tsx?$/, sideEffects: false }] },
      output: {
        codeSplitting: { groups: chunks },
      },
    },
  },
  server: {
    proxy: {
      // The Host header stays the browser's: the venue compares it with the Origin of requests that change something.
      '/api': { target: venueOrigin },
      '/socket.io': { target: venueOrigin, ws: true },
    },
  },
})
