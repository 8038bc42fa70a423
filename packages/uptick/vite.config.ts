import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const here = import.meta.dirname
const entry = (name: string): string => resolve(here, `src/${name}.ts`)

/** The package's subpaths from the project's own sources; packages stay imports. */
export default defineConfig({
  root: here,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: resolve(here, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      input: {
        ...Object.fromEntries(
          ['index', 'replay', 'marbles', 'vitest', 'venue'].map((name) => [name, entry(name)]),
        ),
        cli: entry('cli/main'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared/[name]-[hash].js',
        // Names of functions and classes stay, so that a stack trace can be read.
        minify: { compress: true, mangle: { toplevel: false, keepNames: true } },
      },
    },
  },
})
