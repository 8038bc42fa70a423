import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const here = import.meta.dirname

/** Packages that load files of their own: native code and WebAssembly. */
const external = ['@electric-sql/pglite', '@node-rs/argon2', 'sharp']

/**
 * Bundles the venue for plain Node, with the packages that are only JavaScript: loading their files one by one is a
 * second of processor time at each start.
 */
export default defineConfig({
  ssr: { noExternal: true, external },
  publicDir: false,
  build: {
    ssr: true,
    outDir: resolve(here, '../dist/server'),
    target: 'node20',
    rollupOptions: {
      input: {
        main: resolve(here, 'main.ts'),
        backup: resolve(here, 'backup/main.ts'),
        replayDay: resolve(here, 'replayDay/main.ts'),
        embeddedWorker: resolve(here, 'db/embeddedWorker.ts'),
        engineWorker: resolve(here, 'engine/engineWorker.ts'),
      },
    },
  },
})
