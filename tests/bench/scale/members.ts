import { setTimeout as pause } from 'node:timers/promises'
import { openApiClient, type ApiClient } from '../../pageSweep/apiClient.ts'
import type { ScaledVenue } from './venue.ts'

/** Processor time of the venue, ms: of a member who opens an account and logs in, of one visit, of an order until it has settled. */
export type MemberCosts = { logInMs: number; visitMs: number; orderMs: number }

const members = 5
const visits = 20
const ordersEach = 40
/** Until an order of five seconds has settled. */
const settledAfterMs = 8000
/** What a visit asks first. */
const firstCalls = ['/config', '/me', '/me/assets', '/products?spark=true', '/orders?tab=positions&limit=100']

export async function memberCosts(venue: ScaledVenue): Promise<MemberCosts> {
  // Until what closing the sockets took is over.
  await venue.measure(15)
  const idle = (await venue.measure(10)).cpu
  /** What it took beyond a venue without requests, each. */
  const each = async (count: number, work: () => Promise<unknown>): Promise<number> => {
    const [before, begunAt] = [venue.cpuS(), performance.now()]
    await work()
    const idleS = (idle * (performance.now() - begunAt)) / 1000
    return ((venue.cpuS() - before - idleS) * 1000) / count
  }
  const clients: ApiClient[] = []
  const logInMs = await each(members, async () => {
    for (let i = 0; i < members; i++) clients.push(await openApiClient(venue.url, ''))
  })
  const visitMs = await each(members * visits, () =>
    Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < visits; i++) await Promise.all(firstCalls.map((path) => client.get(path)))
      }),
    ),
  )
  const orderMs = await each(members * ordersEach, async () => {
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < ordersEach; i++) await placeOrder(client)
      }),
    )
    await pause(settledAfterMs)
  })
  await Promise.all(clients.map((client) => client.close()))
  return { logInMs, visitMs, orderMs }
}

async function placeOrder(client: ApiClient): Promise<void> {
  const { now } = await client.get<{ now: number }>('/time')
  const order = { productId: 'P0', direction: 'up', amount: '1.00', seconds: 5, rateBp: 8500 }
  await client.send('POST', '/orders', { ...order, validUntil: now + 4900 })
}
