import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { natsServer, describeWithNats } from '../../support/nats.ts'
import { withPostgres } from '../../support/postgres.ts'
import { startVenue } from '../../support/venueProcess.ts'

const describe = await describeWithNats('startNode')
const postgres = await withPostgres('startNode')

describe('a node that may lead', () => {
  it.runIf(postgres.available)('does not start as a follower if it cannot ask for the lease', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'uptick-node-'))
    const node = startVenue([join(inject('serverBundle'), 'main.js')], {
      ROLE: 'auto',
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url(),
      DATABASE_DIRECT_URL: 'postgres://postgres@127.0.0.1:1/nothing',
      BUS_URL: natsServer(),
      FEED: 'synthetic',
      UPLOAD_KEY: 'ab'.repeat(32),
      IDEMPOTENCY_KEY: 'cd'.repeat(32),
      DESK_KEY: 'a-desk-key-for-this-test-alone',
    })
    expect(await node.exited).toBe(2)
    expect(node.output()).toBe('uptick: DATABASE_DIRECT_URL does not answer (ECONNREFUSED)\n')
    await rm(dataDir, { recursive: true })
  })
})
