import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { usedRoutes } from './usedRoutes.ts'

const here = import.meta.dirname
const entry = (name: string): string => resolve(here, `src/${name}.ts`)

/** The package's subpaths from the project's own sources; packages stay imports. */
export default defineConfig({
  plugins: [usedRoutes()],
  root: here,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: resolve(here, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      // It says what is slow, which depends on the machine.
      checks: { bundlerTimings: false },
      input: {
        ...Object.fromEntries(
          ['index', 'replay', 'marbles', 'test', 'vitest', 'venue'].map((name) => [name, entry(name)]),
        ),
        cli: entry('cli/main'),
      },
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      treeshake: {
        manualPureFunctions: ['z', 'route'],
        moduleSideEffects: false,
        propertyReadSideEffects: false,
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared/[name].js',
        comments: false,
        // Each small file more repeats what it imports, so there are few. `record` loads little beyond its own, because it
        // runs for days, and what a browser may load has nothing of Node's.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'plain',
              test: /\/contract\/(units|time|price|constants|decimalText|recordedInstant|backoff|fileText)\.ts$|\/streams\/replay\/(format|sides)\.ts$|\/uptick\/src\/(time|cli\/(command|protocols|untilEnd|formats\/plainNumber))\.ts$|\/server\/(platform\/clock|market\/feed\/live\/(?!transport|line|ban|lag)\w+)\.ts$/,
            },
            {
              name: 'contract',
              test: /\/contract\/|\/src\/(proof\/|state\/agreedTerms|api\/(clientOver|result))|\/uptick\/src\/(recording|proof)\.ts$/,
            },
            {
              name: 'streams',
              test: /\/streams\/(?!replay\/virtualClock|wire\/wire)|\/uptick\/src\/(replayedMarket|venueClient|fake\w+|watched|expectations|withSides|faultPlan|cli\/replayCalls)\.ts$/,
            },
            { name: 'rowFiles', test: /\/cli\/(rowFiles|continuedFile)\.ts$/ },
            {
              name: 'files',
              test: /\/uptick\/src\/cli\/(formats\/\w+|files|recordingNames|foreignFile|formatOptions|venueCalls|waitingRequest|request|krakenHistory|coinbaseHistory|tradePages|info|check|convert|verify\w*|proofVerdict|memberSession|log\w+|json|jsonLines|logFiles|witness|fileCommands|httpServer|exchangeHistory|binanceHistory|eachInOrder)\.ts$|\/exchange\/frames\.ts$|\/server\/(platform\/(textFile|paths)|market\/publicLog\/)/,
            },
          ],
        },
        minify: { compress: true, mangle: { toplevel: true } },
      },
    },
  },
})
