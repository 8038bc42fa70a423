import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProductRow } from '../../../server/market/feed/products.ts'
import { deskKey } from '../../scenarios/cluster/cluster.ts'
import { openScratchPostgres } from '../../support/scratchPostgres.ts'
import { startVenue } from '../../support/venueProcess.ts'

/** One node alone, on a PostgreSQL database of its own. */
export async function openAlone(
  main: string,
  products: readonly ProductRow[],
): Promise<{ url: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'uptick-alone-'))
  const productsFile = join(folder, 'products.json')
  await writeFile(productsFile, JSON.stringify(products))
  const scratch = await openScratchPostgres('alone')
  const node = startVenue([main], {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: scratch.url,
    PRODUCTS_FILE: productsFile,
    RATE_LIMITS: 'off',
    DESK_KEY: deskKey,
    LOG_LEVEL: 'error',
  })
  const close = async (): Promise<void> => {
    await node.end('SIGKILL')
    await scratch.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    return { url: await node.ready, close }
  } catch (error) {
    await close()
    throw error
  }
}
