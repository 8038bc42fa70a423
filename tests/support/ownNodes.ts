import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProductRow } from '../../server/market/feed/products.ts'
import { natsServer } from './nats.ts'
import { openOwnPostgres } from './ownPostgres.ts'
import { productRow } from './productRow.ts'
import { startVenue, type VenueProcess } from './venueProcess.ts'
import { serverBundle } from './serverBundle.ts'

/** Nodes of one venue in processes of their own, on a PostgreSQL server of their own. */
export async function openOwnNodes(product: Partial<ProductRow> = {}) {
  const postgres = await openOwnPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'uptick-nodes-'))
  const productsFile = join(folder, 'products.json')
  writeFileSync(productsFile, JSON.stringify([productRow('TEST', product)]))
  const nodes: VenueProcess[] = []
  return {
    postgres,
    /** Each start is another node. */
    start: (role: 'all' | 'auto' | 'edge', settings: Record<string, string> = {}): VenueProcess => {
      const node = startVenue([join(serverBundle(), 'main.js')], {
        ...(role === 'edge' && { ROLE: role }),
        DATA_DIR: join(folder, `data-${nodes.length}`),
        PRODUCTS_FILE: productsFile,
        DATABASE_URL: postgres.url,
        ...(role !== 'all' && { BUS_URL: natsServer() }),
        VENUE_KEY: 'ab'.repeat(32),
        DESK_KEY: 'a-desk-key-for-this-test-alone',
        RATE_LIMITS: 'off',
        ...settings,
      })
      nodes.push(node)
      return node
    },
    close: async (): Promise<void> => {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')))
      await postgres.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
export type OwnNodes = Awaited<ReturnType<typeof openOwnNodes>>
