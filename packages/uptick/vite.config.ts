import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const here = import.meta.dirname
const entry = (name: string): string => resolve(here, `src/${name}.ts`)

/** The package's subpaths from the project's own sources; packages stay imports. */
export default defineConfig({
  root: here,
  publicDir: false,
  logLevel: 'warn',
  // A few kB in place of four packages.
  ssr: { noExternal: ['ofetch', 'ufo', 'destr'] },
  resolve: { alias: { ofetch: resolve(here, '../../node_modules/ofetch/dist/index.mjs') } },
  build: {
    ssr: true,
    outDir: resolve(here, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      // It says what is slow, which depends on the machine.
      checks: { bundlerTimings: false },
      input: {
        ...Object.fromEntries(
          ['index', 'replay', 'marbles', 'test', 'vitest', 'venue'].map((name) => [name, entry(name)]),
        ),
        cli: entry('cli/main'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared/[name]-[hash].js',
        // What all commands need is in two files: each small one more repeats what it imports.
        codeSplitting: {
          groups: [
            { name: 'contract', test: /\/contract\// },
            {
              name: 'base',
              test: /\/uptick\/src\/cli\/(command|files|foreignFile|formatOptions|protocols|untilEnd|venueCalls|waitingFetch)\.ts$|\/server\/(platform|market)\//,
            },
          ],
        },
        minify: { compress: true, mangle: { toplevel: true } },
      },
    },
  },
})
