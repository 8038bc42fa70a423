import { beforeEach, describe, expect, it } from 'vitest'
import { headWaitMaxMs } from '../../../../server/market/read/headWait.ts'
import { fakeMarket } from '../../../support/fakeMarket.ts'
import { followerOf } from '../../../support/testCluster.ts'
import { placeOrder, runMarket, tickOnce } from '../../../support/orders.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

let leader: TestVenue
let node: TestVenue
beforeEach(async () => {
  leader = await withVenue()
  const { database, clock, secrets } = leader
  node = await withVenue({ database, clock, secrets, market: fakeMarket(clock), cluster: followerOf })
  await clock.advance(1)
  for (const venue of [leader, node]) tickOnce(venue)
})

/** A request to the node and its status once it is answered. */
function ask(path: string, cookie = '') {
  let status: number | null = null
  const done = node.app.inject({ url: `/api${path}`, headers: { cookie } }).then((answer) => {
    status = answer.statusCode
    return answer
  })
  return { status: () => status, done }
}

/** Lets what is under way reach the place where it waits for the log. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
}

describe('a node that is asked for more of the log than it has', () => {
  const pathsOf = (now: number): string[] => [
    '/products/TEST/ticks?afterSeq=2',
    `/products/TEST/ticks?from=0&to=${now}`,
    `/products/TEST/candles?tf=1m&to=${now}`,
  ]

  it('answers once it has it', async () => {
    await node.clock.advance(100)
    const requests = pathsOf(node.clock.now()).map((path) => ask(path))
    await settle()
    await node.clock.advance(headWaitMaxMs - 1)
    expect(requests.map((request) => request.status())).toEqual([null, null, null])
    tickOnce(node)
    expect((await Promise.all(requests.map(({ done }) => done))).map(({ statusCode }) => statusCode)).toEqual(
      [200, 200, 200],
    )
  })

  it('answers 503 after a second without it', async () => {
    await node.clock.advance(100)
    const requests = pathsOf(node.clock.now()).map((path) => ask(path))
    await expect
      .poll(async () => {
        await node.clock.advance(headWaitMaxMs)
        return requests.every((request) => request.status() !== null)
      })
      .toBe(true)
    const answers = await Promise.all(requests.map(({ done }) => done))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503])
    expect(answers[0]?.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } })
  })

  it('answers at once what needs no more than it has, and for times to come', async () => {
    await node.clock.advance(100)
    const now = node.clock.now()
    const paths = [
      '/products/TEST/ticks?afterSeq=1',
      `/products/TEST/ticks?from=0&to=${now + 60_000}`,
      `/products/TEST/ticks?from=0`,
      '/products/TEST/candles?tf=1m',
      `/products/TEST/candles?tf=1m&to=${now - 60_000}`,
      // A page of gaps names an older gap only, so that no node can be behind it.
      '/products/TEST/gaps',
    ]
    for (const path of paths) expect(await ask(path).done).toMatchObject({ statusCode: 200 })
    expect(await ask('/products/NONE/ticks?afterSeq=9').done).toMatchObject({ statusCode: 404 })
  })

  it('proves a settled order once it has what settled it', async () => {
    const member = await leader.createMember()
    const { id } = await placeOrder(leader, member)
    await runMarket(leader, 31_000)
    const request = ask(`/orders/${id}/proof`, `sid=${member.sid}`)
    await settle()
    expect(request.status()).toBeNull()
    tickOnce(node)
    expect((await request.done).statusCode).toBe(200)
  })
})

it('a leader waits for nothing when it is alone', async () => {
  await leader.clock.advance(100)
  const answer = await leader.app.inject({ url: '/api/products/TEST/ticks?afterSeq=9' })
  expect(answer.json()).toMatchObject({ ticks: [], complete: true })
})
