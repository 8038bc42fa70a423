import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { breachedPasswordsCopy, breachedPasswordsFile } from './members/accounts/breachedPasswords.ts'
import { cachedFonts, fontFiles } from './money/statements/fonts.ts'
import { packReplay, replayFile } from './market/feed/builtReplay.ts'
import { prepareReplay, replaySettingsOf } from './market/feed/preparedReplay.ts'
import { readProducts } from './market/feed/productsFile.ts'
import { emptyDatabaseName } from './platform/db/emptyDatabase.ts'
import { readEmptyDatabase } from './platform/db/memory.ts'
import { schemaFileNames } from './platform/db/schemaFiles.ts'

const here = import.meta.dirname

/** Packages that load files of their own: native code, WebAssembly and fonts. */
const external = ['@electric-sql/pglite', '@node-rs/argon2', 'pdfkit', 'sharp']

const copyFonts: Plugin = {
  name: 'copy-fonts',
  generateBundle() {
    for (const { to } of fontFiles) {
      const source = readFileSync(resolve(cachedFonts, to))
      this.emitFile({ type: 'asset', fileName: `fonts/${to}`, source })
    }
  },
}

/** Members and staff cannot choose a password without it. */
const copyBreachedPasswords: Plugin = {
  name: 'copy-breached-passwords',
  generateBundle() {
    const source = readFileSync(breachedPasswordsFile)
    this.emitFile({ type: 'asset', fileName: breachedPasswordsCopy, source })
  },
}

/** The files of the schema, and a database that has it: a first start copies it, which is faster than to create one. */
const copySchema: Plugin = {
  name: 'copy-schema',
  async generateBundle() {
    for (const name of schemaFileNames()) {
      const source = readFileSync(resolve(here, name))
      this.emitFile({ type: 'asset', fileName: `schema/${name}`, source })
    }
    this.emitFile({ type: 'asset', fileName: emptyDatabaseName(), source: await readEmptyDatabase() })
  },
}

const recordingsDir = resolve(here, '../streams/recordings')

/** What the venue's own products replay: to read the recordings' texts is a third of a start. */
const copyRecordings: Plugin = {
  name: 'copy-recordings',
  async generateBundle() {
    for (const { feed, priceDecimals, sizeDecimals } of await readProducts(resolve(here, 'products.json'))) {
      // Without a period the pauses are a setting of the venue.
      if (!('recording' in feed) || feed.recording === undefined || feed.periodMs === undefined) continue
      const decimals = { price: priceDecimals, size: sizeDecimals }
      const path = { dir: recordingsDir, file: feed.recording }
      const replay = await prepareReplay(path, replaySettingsOf(feed, 0), decimals)
      this.emitFile({
        type: 'asset',
        fileName: replayFile(replay.fingerprint, decimals),
        source: packReplay(replay),
      })
    }
  },
}

/** No file of the venue has side effects: an entry does not load the parts of an index file that it does not use. */
const withoutSideEffects: Plugin = {
  name: 'without-side-effects',
  transform: {
    filter: { id: { include: /\/(server|contract)\//, exclude: /\/node_modules\// } },
    handler: () => ({ moduleSideEffects: false }),
  },
}

/**
 * Parts of packages that the venue never runs: OpenAPI is served as JSON, requests and answers have compilers of our own, and
 * `pg` looks for a runtime that is not Node by making a `Response`, for which Node loads its client of HTTP.
 */
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^(yaml|@fastify\/(ajv|fast-json-stringify)-compiler)$/ },
    handler: () => '\0unused',
  },
  load: { filter: { id: /^\0unused$/ }, handler: () => 'export default null' },
  transform: {
    filter: { id: /\/pg\/lib\/stream\.js$/ },
    handler: (code) => code.replace("typeof Response === 'function'", 'false'),
  },
}

/**
 * Bundles the venue for plain Node, with the packages that are only JavaScript: loading their files one by one is
 * 0.7 s of processor time at each start.
 */
export default defineConfig({
  ssr: { noExternal: true, external },
  publicDir: false,
  plugins: [
    withoutSideEffects,
    withoutUnusedParts,
    copyFonts,
    copyBreachedPasswords,
    copySchema,
    copyRecordings,
  ],
  build: {
    ssr: true,
    emitAssets: true,
    outDir: resolve(here, '../dist/server'),
    target: 'node20',
    rolldownOptions: {
      // It says what is slow, which depends on the machine.
      checks: { bundlerTimings: false },
      // A package that another one needs first is run first, whatever is left out between them.
      output: { strictExecutionOrder: true },
      input: {
        main: resolve(here, 'main.ts'),
        backup: resolve(here, 'checks/backup/main.ts'),
        desk: resolve(here, 'office/cli/main.ts'),
        replayDay: resolve(here, 'checks/replayDay/main.ts'),
        embeddedWorker: resolve(here, 'platform/db/embeddedWorker.ts'),
        engineWorker: resolve(here, 'start/engine/engineWorker.ts'),
        pdfWorker: resolve(here, 'money/statements/pdfWorker.ts'),
      },
    },
  },
})
