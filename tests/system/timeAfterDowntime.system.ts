import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { countGaps } from '../scenarios/cluster/checks.ts'
import { openCluster } from '../scenarios/cluster/cluster.ts'
import { compareTimes } from '../scenarios/cluster/nodeViews.ts'
import { describeWithNats } from '../support/nats.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { testSeed } from '../support/testSeed.ts'
import { serverBundle } from '../support/serverBundle.ts'

const describe = await describeWithNats('timeAfterDowntime')
const hasPostgres = (await postgresUnavailableReason()) === null

/** The number of the lease's lock. */
const lockKey = 7_202_512

describe('a node that takes over after the venue was down', () => {
  it.runIf(hasPostgres)(
    'begins with its own clock if the first leader froze before it wrote anything',
    async () => {
      const main = join(serverBundle(), 'main.js')
      const cluster = await openCluster({ main, feed: 'live', seed: testSeed() })
      const frozen = new Client({ connectionString: cluster.scratch.url, application_name: 'frozen leader' })
      frozen.on('error', () => undefined)
      try {
        // Its time is what the venue's would be if the venue had been down for as long.
        const first = await cluster.startCandidate({ clockAheadMs: -8000 })
        const { term } = await cluster.newest()
        await first.end('SIGTERM')
        const gaps = await countGaps(cluster)
        await frozen.connect()
        await frozen.query('SELECT pg_advisory_lock($1)', [lockKey])
        await cluster.startAll([{ role: 'auto' }])
        await expect.poll(async () => (await cluster.newest()).term).toBeGreaterThan(term)
        const compared = { ticks: 0, gaps: 0, differences: [] }
        await compareTimes(cluster, compared)
        expect(compared.differences).toEqual([])
        // No order is settled by the prices after the downtime as if nothing had been missed.
        expect(await countGaps(cluster)).toBeGreaterThan(gaps)
      } finally {
        await frozen.end()
        await cluster.close()
      }
    },
  )
})
