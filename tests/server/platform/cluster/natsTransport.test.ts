import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { BusError, type Bus } from '../../../../server/platform/cluster/bus.ts'
import { openBus } from '../../../../server/platform/cluster/openBus.ts'
import { faultProxy } from '../../../support/faultProxy.ts'
import { describeWithNats, natsServer } from '../../../support/nats.ts'

const describe = await describeWithNats('natsTransport')

const opened: Bus[] = []
afterEach(async () => {
  for (const bus of opened.splice(0)) await bus.close()
})

async function open(space: string, url = natsServer()): Promise<Bus> {
  const report = (what: string, error: unknown): never => {
    throw new Error(what, { cause: error })
  }
  const address = { url, keys: { space, sealKey: Buffer.alloc(32, 7) }, name: 'uptick tests' }
  const bus = await openBus(address, { now: () => 0, warn: () => undefined, report })
  opened.push(bus)
  return bus
}

const bytes = (text: string): Uint8Array => Buffer.from(text)
const text = (message: Uint8Array): string => Buffer.from(message).toString()

/** Resolves once the subscriptions made so far receive: the server has read everything before this request. */
async function settle(bus: Bus): Promise<void> {
  await expect(bus.request('await-order', bytes(''), 10_000)).rejects.toThrow(BusError)
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

  it('answers a request, and says that one has no answer', async () => {
    const venueId = randomUUID()
    const [leader, edge] = await Promise.all([open(venueId), open(venueId)])
    await expect(edge.request('place-order', bytes('1'), 1000)).rejects.toThrow(BusError)
    const end = leader.respond('place-order', async (message) => bytes(`placed ${text(message)}`))
    await settle(leader)
    expect(text(await edge.request('place-order', bytes('2'), 1000))).toBe('placed 2')
    end()
    leader.respond('place-order', () => new Promise(() => undefined))
    await settle(leader)
    await expect(edge.request('place-order', bytes('3'), 100)).rejects.toThrow(BusError)
  })

  it('goes on with another server if one of several is away', async () => {
    const space = randomUUID()
    const proxy = await faultProxy(Number(new URL(natsServer()).port))
    const several = `nats://127.0.0.1:${proxy.port},${natsServer()}`
    const [leader, edge] = await Promise.all([open(space), open(space, several)])
    leader.respond('place-order', async (message) => bytes(`placed ${text(message)}`))
    await settle(leader)
    proxy.cut()
    await expect
      .poll(() => edge.request('place-order', bytes('1'), 1000).then(text, () => 'no answer'))
      .toBe('placed 1')
    await proxy.close()
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
    await expect(edge.request('place-order', bytes('1'), 1000)).rejects.toThrow(BusError)
    proxy.restore()
    await expect.poll(() => edge.isConnected()).toBe(true)
    await settle(edge)
    leader.publish('flush', bytes('received'))
    await expect.poll(() => received).toEqual(['received'])
    await proxy.close()
  })
})
