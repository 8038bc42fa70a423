import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const here = import.meta.dirname

/** Bundles the venue for plain Node. Packages stay external, so only our own files are compiled. */
export default defineConfig({
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
