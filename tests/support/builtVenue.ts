import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deskKey } from '../e2e/officeCalls.ts'
import { startVenue } from './venueProcess.ts'

export type BuiltVenue = {
  url: string
  port: number
  deskKey: string
  /** Stops it and removes its folder. */
  close: () => Promise<void>
}

/**
 * Starts the built venue (`npm run build` first) in its own folder, with the short durations of the browser tests and
 * on a free port, unless the settings say otherwise.
 * @param flags of Node
 */
export async function openBuiltVenue(
  settings: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<BuiltVenue> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-built-'))
  const env = {
    DATA_DIR: dataDir,
    PRODUCTS_FILE: 'tests/e2e/products.json',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    DESK_KEY: deskKey,
    ...settings,
  }
  const venue = startVenue(['dist/server/main.js'], env, flags)
  const url = await venue.ready
  return {
    url,
    port: Number(new URL(url).port),
    deskKey,
    close: async () => {
      await venue.end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
