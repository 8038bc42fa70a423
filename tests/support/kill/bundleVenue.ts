import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const root = new URL('../../../', import.meta.url).pathname

/** Bundles the venue as `npm start` runs it into a new folder, because a start from the sources takes seconds. */
export async function bundleVenue(): Promise<{ main: string; remove: () => Promise<void> }> {
  const outDir = join(root, `dist/kill-${randomUUID().slice(0, 8)}`)
  await build({
    configFile: join(root, 'server/vite.config.ts'),
    logLevel: 'silent',
    build: { outDir, emptyOutDir: true },
  })
  return { main: join(outDir, 'main.js'), remove: () => rm(outDir, { recursive: true, force: true }) }
}
