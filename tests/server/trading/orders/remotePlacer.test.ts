import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { ApiError } from '../../../../server/platform/apiError.ts'
import type { Bus } from '../../../../server/platform/cluster/bus.ts'
import type { PlaceCommand, PlacedOrder, Placer } from '../../../../server/platform/ports.ts'
import { answerPlacements, createRemotePlacer } from '../../../../server/trading/orders/remotePlacer.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { memoryBusServer, type MemoryBusServer } from '../../../support/memoryBus.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

let clock: ManualClock
let server: MemoryBusServer
let edge: Placer
/** What leaders have reported. */
let reported: unknown[]

const commandUntil = (validUntil: number): PlaceCommand => ({
  memberId: 'm1',
  sessionId: 's1',
  key: 'k1',
  fingerprint: 'f1',
  order: {
    productId: 'TEST',
    direction: 'up',
    amount: '5.00',
    seconds: 30,
    rateBp: 8000,
    validUntil: epochMs(validUntil),
  },
})
const placed: PlacedOrder = { order: sampleOrder(), origin: 'venue.test/log/1' }

/** A node that leads, and records what it was asked to place. */
function startLeader(place: Placer['place']): { bus: Bus; asked: PlaceCommand[]; stop: () => void } {
  const bus = server.connect()
  const asked: PlaceCommand[] = []
  const placer: Placer = {
    place: (command) => {
      asked.push(command)
      return place(command)
    },
    awaitPlacement: async () => undefined,
  }
  const stop = answerPlacements(bus, placer, (_what, error) => reported.push(error))
  return { bus, asked, stop }
}

/** Lets time pass in steps, so that each request is answered before the next one is due. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await clock.advance(50)
    await nextTurn()
  }
}

beforeEach(() => {
  clock = manualClock()
  reported = []
  server = memoryBusServer()
  edge = createRemotePlacer(server.connect(), clock)
})

describe('an order at a node that does not lead', () => {
  it('is placed by the leader, with the key and fingerprint of the request', async () => {
    const leader = startLeader(async () => placed)
    const command = commandUntil(clock.now() + 5000)
    expect(await edge.place(command)).toEqual(placed)
    expect(leader.asked).toEqual([command])
  })

  it('is rejected with the leader’s code, parameters and fields', async () => {
    const details = { params: { max: '100.00' }, fields: { amount: 'TOO_HIGH' } }
    startLeader(() => Promise.reject(new ApiError('VALIDATION', details)))
    await expect(edge.place(commandUntil(clock.now() + 5000))).rejects.toMatchObject({
      code: 'VALIDATION',
      ...details,
    })
  })

  it('is requested again with the same key until another node leads', async () => {
    const dying = startLeader(() => Promise.reject(new Error('killed')))
    const command = commandUntil(clock.now() + 5000)
    const answer = edge.place(command)
    await pass(200)
    dying.stop()
    await pass(200)
    const successor = startLeader(async () => placed)
    await pass(400)
    expect(await answer).toEqual(placed)
    expect(dying.asked.length).toBeGreaterThan(1)
    expect(successor.asked).toEqual([command])
  })

  it('is requested at once from the node that leads next, when the one before was killed with the request', async () => {
    const killed = startLeader(() => new Promise(() => undefined))
    const command = commandUntil(clock.now() + 5000)
    const answer = edge.place(command)
    await nextTurn()
    killed.stop()
    const successor = startLeader(async () => placed)
    expect(await answer).toEqual(placed)
    expect([killed.asked, successor.asked]).toEqual([[command], [command]])
  })

  it('waits as long for the answer about a key whose order is no longer valid', async () => {
    startLeader(async () => placed)
    const bus = server.connect()
    const waits: number[] = []
    const placer = createRemotePlacer(
      {
        ...bus,
        request: (subject, message, answerMaxMs) => {
          waits.push(answerMaxMs)
          return bus.request(subject, message, answerMaxMs)
        },
      },
      clock,
    )
    await placer.place(commandUntil(clock.now() + 5000))
    await placer.place(commandUntil(clock.now() - 5000))
    expect(waits).toEqual([1000, 1000])
  })

  it('is requested again if its outcome is unknown, less and less often', async () => {
    const failing = startLeader(() => Promise.reject(new Error('the disk is full')))
    const refused = expect(edge.place(commandUntil(clock.now() + 20_000))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await pass(9000)
    await refused
    // 50, 100, 200, then 250 ms apart, for eight seconds at most.
    expect(failing.asked.length).toBeLessThan(40)
    expect(reported).toHaveLength(failing.asked.length)
  })

  it('is unavailable at once if the bus stays away', async () => {
    const bus = server.connect()
    const placer = createRemotePlacer({ ...bus, isConnected: () => false }, clock)
    const startedAt = clock.now()
    const refused = expect(placer.place(commandUntil(startedAt + 20_000))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await pass(2000)
    await refused
  })

  it('is not placed by a message that is no order request', async () => {
    const leader = startLeader(async () => placed)
    const bus = server.connect()
    const command = commandUntil(clock.now() + 5000)
    for (const message of [
      { ...command, sessionId: undefined },
      { ...command, order: { ...command.order, amount: '1e3' } },
      { ...command, isTrusted: true },
      null,
    ]) {
      const answer = await bus.request('place-order', Buffer.from(JSON.stringify(message)), 1000)
      expect(JSON.parse(Buffer.from(answer).toString())).toEqual({ isUnknown: true })
    }
    expect(leader.asked).toEqual([])
  })

  it('is unavailable once it is no longer valid and no leader has answered', async () => {
    const placed = expect(edge.place(commandUntil(clock.now() + 1000))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await pass(1500)
    await placed
  })
})
