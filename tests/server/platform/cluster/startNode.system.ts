import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkDeskKey } from '../../../../server/start/deskKeyCheck.ts'
import { natsServer, describeWithNats } from '../../../support/nats.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { productRow } from '../../../support/productRow.ts'
import { startVenue, type VenueProcess } from '../../../support/venueProcess.ts'
import { serverBundle } from '../../../support/serverBundle.ts'

const describe = await describeWithNats('startNode')
const postgres = await withPostgres('startNode')

const folder = mkdtempSync(join(tmpdir(), 'uptick-node-'))
const started: VenueProcess[] = []
afterAll(async () => {
  await Promise.all(started.map((node) => node.end('SIGKILL')))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const productsFile = join(folder, 'products.json')
writeFileSync(productsFile, JSON.stringify([productRow('TEST')]))

function start(settings: Record<string, string>, ...args: string[]): VenueProcess {
  const node = startVenue([join(serverBundle(), 'main.js'), ...args], {
    DATA_DIR: join(folder, `data-${started.length}`),
    PRODUCTS_FILE: productsFile,
    DATABASE_URL: postgres.url(),
    BUS_URL: natsServer(),
    VENUE_KEY: 'ab'.repeat(32),
    DESK_KEY: 'a-desk-key-for-this-test-alone',
    LOG_LEVEL: 'error',
    ...settings,
  })
  started.push(node)
  return node
}

describe('nodes of one venue', () => {
  it.runIf(postgres.available)('do not start as a follower if they cannot ask for the lease', async () => {
    const node = start({
      DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nothing',
    })
    expect(await node.exited).toBe(2)
    expect(node.message()).toBe('uptick: DATABASE_URL does not answer (ECONNREFUSED)\n')
  })

  it.runIf(postgres.available)('are refused with another DESK_KEY until it is changed', async () => {
    const leader = start({})
    await leader.ready
    const otherKey = { DESK_KEY: 'another-desk-key-for-this-test' }
    const refused = start({ ROLE: 'edge', ...otherKey })
    expect(await refused.exited).toBe(2)
    expect(refused.message()).toBe(
      'uptick: DESK_KEY is not the key that this database was used with: use that key on every node, ' +
        'or start with --new-desk-key to change it\n',
    )
    const standby = start(otherKey, '--new-desk-key')
    await standby.ready
    const isKey = (key: string): Promise<boolean> =>
      checkDeskKey(postgres.database().db, { key, source: 'DESK_KEY' }).catch(() => false)
    expect(await isKey(otherKey.DESK_KEY)).toBe(false)
    await leader.end('SIGTERM')
    // The key is changed once the standby leads.
    await expect.poll(() => isKey(otherKey.DESK_KEY)).toBe(true)
  })
})
