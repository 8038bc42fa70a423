import { existsSync } from 'node:fs'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { simpleQuery } from './embedded-session.ts'
import type { WireEngine } from './embedded-session.ts'

/** The embedded database, opened: answers wire bytes one batch at a time. */
export interface Engine extends WireEngine {
  readonly pglite: PGlite
  /** Writes everything back and lets go of the folder. */
  close(): Promise<void>
}

/** 1 MiB log segments instead of 16: a fresh folder is 30 MB instead of 39. */
const initDbParams = ['--wal-segsize=1']
/** A quarter of the default cache: the venue's hot rows fit, and the process is 100 MB smaller. */
const startParams = [...PGlite.defaultStartParams, '-c', 'max_wal_size=16MB', '-c', 'shared_buffers=32MB']

function engineOf(pglite: PGlite): Engine {
  return {
    pglite,
    exec: (message) => {
      const answer = pglite.execProtocolRawSync(message)
      // The start-up answer is a view of the engine's own buffer.
      return answer.byteLength === answer.buffer.byteLength ? answer : answer.slice()
    },
    close: async () => {
      pglite.execProtocolRawSync(simpleQuery('CHECKPOINT'))
      await pglite.close()
    },
  }
}

/**
 * Opens the embedded database in `dir`, making it first when there is none. A fresh one is made beside it and moved
 * into place when complete, so that a kill during the first start leaves nothing half-made.
 */
export async function openEngine(dir: string): Promise<Engine> {
  if (!existsSync(join(dir, 'PG_VERSION'))) {
    // Refuses what is there and is neither a database nor an empty folder, before it takes the time to make one.
    if (existsSync(dir)) await rmdir(dir)
    const making = `${dir}.making`
    await rm(making, { recursive: true, force: true })
    await mkdir(making, { recursive: true, mode: 0o700 })
    const fresh = await PGlite.create(making, { initDbStartParams: initDbParams, startParams })
    await fresh.close()
    await rename(making, dir)
  }
  return engineOf(await PGlite.create(dir, { startParams }))
}

/** Opens an embedded database in memory, from a snapshot when one is given. */
export async function openMemoryEngine(snapshot?: Blob): Promise<Engine> {
  const options = snapshot === undefined ? { initDbStartParams: initDbParams } : { loadDataDir: snapshot }
  return engineOf(await PGlite.create({ ...options, startParams }))
}
