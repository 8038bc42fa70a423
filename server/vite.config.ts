import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { breachedPasswordsCopy, breachedPasswordsFile } from './members/breachedPasswords.ts'
import { fontFiles } from './statements/fonts.ts'

const here = import.meta.dirname

/** Packages that load files of their own: native code, WebAssembly and fonts. */
const external = ['@electric-sql/pglite', '@node-rs/argon2', 'pdfkit', 'sharp']

/** Copies the fonts of statements, so that the packages with all their weights are needed only for a build. */
const copyFonts: Plugin = {
  name: 'copy-fonts',
  generateBundle() {
    for (const { from, to } of fontFiles) {
      const source = readFileSync(resolve(here, '../node_modules', from))
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

/**
 * Bundles the venue for plain Node, with the packages that are only JavaScript: loading their files one by one is
 * 0.7 s of processor time at each start.
 */
export default defineConfig({
  ssr: { noExternal: true, external },
  publicDir: false,
  plugins: [copyFonts, copyBreachedPasswords],
  build: {
    ssr: true,
    emitAssets: true,
    outDir: resolve(here, '../dist/server'),
    target: 'node20',
    rollupOptions: {
      input: {
        main: resolve(here, 'main.ts'),
        backup: resolve(here, 'backup/main.ts'),
        desk: resolve(here, 'backOffice/cli/main.ts'),
        replayDay: resolve(here, 'replayDay/main.ts'),
        embeddedWorker: resolve(here, 'db/embeddedWorker.ts'),
        engineWorker: resolve(here, 'engine/engineWorker.ts'),
        pdfWorker: resolve(here, 'statements/pdfWorker.ts'),
      },
    },
  },
})
