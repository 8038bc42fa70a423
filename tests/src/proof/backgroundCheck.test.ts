import { BehaviorSubject, Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import type { Failure, Order, SeenHead } from '../../../streams/index.ts'
import type { Result } from '../../../src/api/result.ts'
import {
  betweenOrdersMs,
  createBackgroundCheck,
  headEveryMs,
  retryMaxMs,
  retryMinMs,
} from '../../../src/proof/backgroundCheck.ts'
import type { DeviceCheck } from '../../../src/proof/checkOnDevice.ts'
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import type { Alarm } from '../../../src/state/alarms.ts'
import { createEvidence } from '../../../src/state/evidence.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const won = (id: string, closeAt = 1_030_000): Order =>
  sampleOrder({ id, no: id.toUpperCase(), status: 'won', closeAt: epochMs(closeAt), version: 3 })
const apiFailure = (status: number, params: Record<string, unknown> = {}): Failure => ({
  kind: 'rejected',
  status,
  code: 'X',
  params,
  fields: {},
  at: 0,
})

/** A device and a venue with configurable answers; orders whose id begins with "bad" fail their check. */
function setup(closed: Order[] = []) {
  const kvStore = memoryKvStore()
  const state = {
    member: 'anna' as string | undefined,
    alarms: [] as readonly Alarm[],
    closed,
    listFailure: undefined as Failure | undefined,
    proofFailure: undefined as Failure | undefined,
    requested: [] as string[],
    lists: 0,
    maxConcurrent: 0,
    heads: [] as SeenHead[],
  }
  let running = 0
  const event$ = new Subject<Order>()
  const up$ = new BehaviorSubject(false)
  const parts = { kvStore, memberId: () => state.member, now: () => 1 }
  const evidence = createEvidence({ ...parts, confirmed: () => undefined }, (alarms) => {
    state.alarms = alarms
  })
  const answer = async <T>(value: T, failure: Failure | undefined): Promise<Result<T>> => {
    running += 1
    state.maxConcurrent = Math.max(state.maxConcurrent, running)
    await new Promise((resolve) => setTimeout(resolve, 300))
    running -= 1
    return failure ? { ok: false, failure } : { ok: true, value, at: 0 }
  }
  const start = () =>
    createBackgroundCheck({
      event$,
      up$,
      closed: () => {
        state.lists += 1
        return answer(state.closed, state.listFailure)
      },
      proof: (orderId) => {
        state.requested.push(orderId)
        return answer({ order: won(orderId) } as CompleteProof, state.proofFailure)
      },
      check: async ({ order }) =>
        ({ report: { ok: !order.id.startsWith('bad') }, heads: [] }) as unknown as DeviceCheck,
      evidence,
      isReceiptKept: async (orderId) => orderId === 'denied',
      seenHeads: () => state.heads,
      memberId: () => state.member,
      now: () => 1_000_000,
    })
  return { state, evidence, event$, up$, start }
}
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('createBackgroundCheck', () => {
  it('checks orders as they become final, one at a time, the newest first, each once', async () => {
    const { state, evidence, event$, up$, start } = setup()
    const background = start()
    up$.next(true)
    await advance(5000)
    for (const id of ['o1', 'o2', 'o3']) event$.next(won(id, 1_030_000 + Number(id[1])))
    event$.next(sampleOrder({ id: 'runs' }))
    await advance(60_000)
    expect(state.requested).toEqual(['o3', 'o2', 'o1'])
    expect(state.maxConcurrent).toBe(1)
    expect(await evidence.checkedIds()).toEqual(new Set(['o1', 'o2', 'o3']))
    event$.next(won('o1'))
    await advance(60_000)
    expect(state.requested).toHaveLength(3)
    expect(state.alarms).toEqual([])
    background.close()
    expect(event$.observed || up$.observed).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('checks orders that ended while the app was closed, unless they were checked before', async () => {
    const { state, evidence, up$, start } = setup([won('o3', 3), won('o2', 2), won('o1', 1)])
    await evidence.recordCheck(won('o2'), { ok: true, at: 1 })
    start()
    await advance(60_000)
    expect(state.lists).toBe(0)
    up$.next(true)
    await advance(60_000)
    expect([state.lists, state.requested]).toEqual([1, ['o3', 'o1']])
    up$.next(false)
    state.closed = [won('o4', 4), ...state.closed]
    up$.next(true)
    await advance(60_000)
    expect([state.lists, state.requested]).toEqual([2, ['o3', 'o1', 'o4']])
  })

  it('raises an alarm for an order whose evidence fails, and still checks the others', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await advance(5000)
    event$.next(won('bad1', 9))
    event$.next(won('o1', 1))
    await advance(10_000)
    expect(state.alarms).toEqual([{ orderId: 'bad1', no: 'BAD1' }])
    expect(state.requested).toEqual(['bad1', 'o1'])
  })
})

describe('a failed call of the background check', () => {
  it.each<[string, Failure]>([
    ['offline', { kind: 'offline' }],
    ['late', { kind: 'timeout' }],
    ['broken', { kind: 'broken' }],
    ['503', apiFailure(503)],
    ['429', apiFailure(429)],
  ])('(%s) is retried later with backoff', async (_, failure) => {
    const { state, evidence, event$, up$, start } = setup()
    start()
    up$.next(true)
    await advance(5000)
    state.proofFailure = failure
    event$.next(won('o1'))
    await advance(betweenOrdersMs + 300)
    expect(state.requested).toHaveLength(1)
    await advance(retryMinMs - 1)
    expect(state.requested).toHaveLength(1)
    await advance(1)
    expect(state.requested).toHaveLength(2)
    await advance(3 * 60 * 60_000)
    const calls = state.requested.length
    expect(calls).toBeLessThan(45)
    expect([state.alarms, (await evidence.checkedIds()).size]).toEqual([[], 0])
    state.proofFailure = undefined
    await advance(retryMaxMs + 1000)
    expect(state.requested).toHaveLength(calls + 1)
    expect((await evidence.checkedIds()).has('o1')).toBe(true)
  })

  it('is retried after the pause that the venue requests, even if other orders end meanwhile', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await advance(5000)
    state.proofFailure = apiFailure(429, { retryAfterMs: 60_000 })
    event$.next(won('o1', 1))
    await advance(betweenOrdersMs + 300)
    event$.next(won('o2', 2))
    await advance(59_000)
    expect(state.requested).toEqual(['o1'])
    state.proofFailure = undefined
    await advance(10_000)
    expect(state.requested).toEqual(['o1', 'o2', 'o1'])
  })

  it('is not retried before the next connection if the rejection is permanent', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await advance(5000)
    state.proofFailure = apiFailure(404)
    event$.next(won('o1'))
    await advance(60 * 60_000)
    expect(state.requested).toHaveLength(1)
    state.closed = [won('o1')]
    state.proofFailure = undefined
    up$.next(false)
    up$.next(true)
    await advance(5000)
    expect(state.requested).toHaveLength(2)
  })

  it('for the list is retried too', async () => {
    const { state, up$, start } = setup([won('o1')])
    state.listFailure = { kind: 'timeout' }
    start()
    up$.next(true)
    await advance(betweenOrdersMs + 1000)
    expect([state.lists, state.requested]).toEqual([1, []])
    state.listFailure = undefined
    await advance(retryMinMs + 5000)
    expect([state.lists, state.requested]).toEqual([2, ['o1']])
  })

  it('is avoided: nothing is requested without a connection', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await advance(5000)
    up$.next(false)
    event$.next(won('o1'))
    await advance(60 * 60_000)
    expect(state.requested).toEqual([])
    up$.next(true)
    await advance(5000)
    expect(state.requested).toEqual(['o1'])
  })
})

it('drops work for another member', async () => {
  const { state, evidence, event$, up$, start } = setup()
  start()
  up$.next(true)
  await advance(5000)
  event$.next(won('o1', 1))
  event$.next(won('o2', 2))
  await advance(betweenOrdersMs + 100)
  expect(state.requested).toEqual(['o2'])
  state.member = 'ben'
  await advance(60_000)
  expect(state.requested).toEqual(['o2'])
  expect((await evidence.checkedIds()).size).toBe(0)
  state.member = undefined
  event$.next(won('o3'))
  await advance(60_000)
  expect(state.requested).toEqual(['o2'])
})

it('raises an alarm for an order that the venue signed and says does not exist, also if it does not list it', async () => {
  const { state, evidence, up$, start } = setup()
  const signed = { receipt: 'signed', receiptSalt: 's', closeAt: epochMs(999_000) }
  await evidence.recordOrder(sampleOrder({ id: 'denied', no: 'D', ...signed }), 1)
  await evidence.recordOrder(sampleOrder({ id: 'unsigned', closeAt: epochMs(999_000) }), 1)
  await evidence.recordOrder(sampleOrder({ id: 'runs', ...signed, closeAt: epochMs(1_000_001) }), 1)
  state.proofFailure = apiFailure(409)
  start()
  up$.next(true)
  await advance(60_000)
  expect([state.requested, state.alarms]).toEqual([['denied'], []])
  state.proofFailure = apiFailure(404)
  up$.next(false)
  up$.next(true)
  await advance(60_000)
  expect(state.requested).toEqual(['denied', 'denied'])
  expect(state.alarms).toEqual([{ orderId: 'denied', no: 'D' }])
  // The check has ended.
  up$.next(false)
  up$.next(true)
  await advance(60_000)
  expect(state.requested).toHaveLength(2)
})

it('asks again for an order that is denied while it is unknown who has signed it', async () => {
  const { state, evidence, up$, start } = setup()
  const signed = { receipt: 'signed', receiptSalt: 's', closeAt: epochMs(999_000) }
  await evidence.recordOrder(sampleOrder({ id: 'early', ...signed }), 1)
  state.proofFailure = apiFailure(404)
  start()
  for (const isUp of [true, false, true]) {
    up$.next(isUp)
    await advance(60_000)
  }
  expect([state.requested, state.alarms]).toEqual([['early', 'early'], []])
})

it('stores heads seen live while an order runs', async () => {
  const { state, evidence, start } = setup()
  await evidence.recordOrder(sampleOrder({ id: 'runs' }), 1)
  await evidence.recordOrder(sampleOrder({ id: 'over', closeAt: epochMs(999_999) }), 1)
  const seen = (seq: number): SeenHead => ({
    seq,
    hash: seq.toString(16).padStart(64, 'a'),
    watermark: seq,
    seenAt: seq,
  })
  const background = start()
  state.heads = [seen(1), seen(2)]
  await advance(headEveryMs)
  state.heads = [seen(1), seen(2), seen(3)]
  await advance(headEveryMs)
  expect((await evidence.get('runs')).heads.map(({ seq, from }) => [seq, from])).toEqual([
    [2, 'feed'],
    [3, 'feed'],
  ])
  expect((await evidence.get('over')).heads).toEqual([])
  background.close()
})
