/**
 * A step of the build: the fonts of PDF statements. Their packages have 140 MB, nearly all of it weights that nothing
 * here uses, so they are installed into a temporary folder, and the cache keeps one weight of each.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cachedFonts, fontFiles } from '../fonts.ts'

if (!existsSync(cachedFonts)) {
  const cache = dirname(cachedFonts)
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'fonts-'))
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(import.meta.dirname, name), join(folder, name))
    // Through a shell, because npm is a script of another kind on Windows.
    execFileSync('npm ci --ignore-scripts --no-audit --no-fund --loglevel=error', {
      cwd: folder,
      shell: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const kept = join(folder, 'kept')
    mkdirSync(kept)
    for (const { from, to } of fontFiles) copyFileSync(join(folder, 'node_modules', from), join(kept, to))
    // At once, so that an interrupted build leaves no half of it.
    renameSync(kept, cachedFonts)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
