import { describe, expect, it } from 'vitest'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ ticking: true })

it('/healthz returns 503 while no prices are committed', async () => {
  const health = async (): Promise<[number, unknown]> => {
    const answer = await venue.app.inject('/healthz')
    return [answer.statusCode, answer.json()]
  }
  expect(await health()).toEqual([200, { status: 'serving' }])
  venue.clock.leap(8000)
  expect(await health()).toEqual([200, { status: 'serving' }])
  venue.clock.leap(4000)
  expect(await health()).toEqual([503, { status: 'stalled' }])
  await venue.clock.advance(1000)
  expect(await health()).toEqual([200, { status: 'serving' }])
})

describe('a node', () => {
  it('is ready while it follows within 2 s, whether it leads or not', async () => {
    const other = await withDatabase()
    const node = await withVenue({ database: other })
    const answer = async (path = '/healthz'): Promise<[number, unknown]> => {
      const { statusCode, json } = await node.app.inject(path)
      return [statusCode, json()]
    }
    const commitElsewhere = (id: number, aheadMs: number) =>
      other.pool.query('INSERT INTO tick_batch (id, at, data, term) VALUES ($1, $2, $3, 0)', [
        id,
        node.market.flushedAt() + aheadMs,
        Buffer.alloc(0),
      ])
    await commitElsewhere(1, 1999)
    expect(await answer()).toEqual([200, { status: 'serving' }])
    await commitElsewhere(2, 2000)
    await node.clock.advance(500)
    expect(await answer()).toEqual([503, { status: 'behind' }])
    expect(await answer('/healthz/live')).toEqual([200, { status: 'alive' }])
    await other.close()
    await node.clock.advance(500)
    expect(await answer()).toEqual([503, { status: 'disconnected' }])
    expect(await answer('/healthz/live')).toEqual([200, { status: 'alive' }])
  })
})
