import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import type { Bus } from '../../../server/cluster/bus.ts'
import { openNatsBus } from '../../../server/cluster/natsBus.ts'
import { faultProxy } from '../../support/faultProxy.ts'
import { describeWithNats, natsServer } from '../../support/nats.ts'

const describe = await describeWithNats('natsBus')

const opened: Bus[] = []
afterEach(async () => {
  for (const bus of opened.splice(0)) await bus.close()
})

async function open(venueId: string, url = natsServer()): Promise<Bus> {
  const report = (what: string, error: unknown): never => {
    throw new Error(what, { cause: error })
  }
  const bus = await openNatsBus({ url, venueId, name: 'uptick tests' }, report)
  opened.push(bus)
  return bus
}

const bytes = (text: string): Uint8Array => Buffer.from(text)
const text = (message: Uint8Array): string => Buffer.from(message).toString()

/** Resolves once the subscriptions made so far receive: the server has read everything before this request. */
async function settle(bus: Bus): Promise<void> {
  await expect(bus.request('await-order', bytes(''), 10_000)).rejects.toMatchObject({ isUndelivered: true })
}

describe('the bus over NATS', () => {
  it('brings a message to the other nodes of the same venue, in order, and not back to the sender', async () => {
    const venueId = randomUUID()
    const [leader, edge, other] = await Promise.all([open(venueId), open(venueId), open(randomUUID())])
    const received: string[] = []
    const all = new Promise<void>((resolve) => {
      edge.subscribe('flush', (message) => {
        received.push(text(message))
        if (received.length === 1000) resolve()
      })
    })
    leader.subscribe('flush', () => received.push('back to the sender'))
    other.subscribe('flush', () => received.push('another venue'))
    await Promise.all([settle(edge), settle(leader), settle(other)])
    for (let i = 0; i < 1000; i++) leader.publish('flush', bytes(String(i)))
    await all
    expect(received).toEqual(Array.from({ length: 1000 }, (_, i) => String(i)))
  })

  it('answers a request, and says whether a request without an answer was received by nobody', async () => {
    const venueId = randomUUID()
    const [leader, edge] = await Promise.all([open(venueId), open(venueId)])
    await expect(edge.request('place-order', bytes('1'), 1000)).rejects.toMatchObject({ isUndelivered: true })
    const end = leader.respond('place-order', async (message) => bytes(`placed ${text(message)}`))
    await settle(leader)
    expect(text(await edge.request('place-order', bytes('2'), 1000))).toBe('placed 2')
    end()
    leader.respond('place-order', () => new Promise(() => undefined))
    await settle(leader)
    await expect(edge.request('place-order', bytes('3'), 100)).rejects.toMatchObject({ isUndelivered: false })
  })

  it('drops messages while the server is away, and goes on when it is back', async () => {
    const venueId = randomUUID()
    const proxy = await faultProxy(Number(new URL(natsServer()).port))
    const [leader, edge] = await Promise.all([open(venueId), open(venueId, `nats://127.0.0.1:${proxy.port}`)])
    const received: string[] = []
    edge.subscribe('flush', (message) => received.push(text(message)))
    await settle(edge)
    proxy.cut()
    await expect.poll(() => edge.isConnected()).toBe(false)
    leader.publish('flush', bytes('lost'))
    await expect(edge.request('place-order', bytes('1'), 1000)).rejects.toMatchObject({ isUndelivered: true })
    proxy.restore()
    await expect.poll(() => edge.isConnected()).toBe(true)
    await settle(edge)
    leader.publish('flush', bytes('received'))
    await expect.poll(() => received).toEqual(['received'])
    await proxy.close()
  })
})
