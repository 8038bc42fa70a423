import { BehaviorSubject, Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
import type { CompleteProof } from '../../../src/proof/collect.ts'
import type { Alarm } from '../../../src/state/alarms.ts'
import { createEvidence } from '../../../src/state/evidence.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const won = (id: string, closeAt = 1_030_000): Order =>
  sampleOrder({ id, no: id.toUpperCase(), status: 'won', closeAt, version: 3 })
const apiFailure = (status: number, params: Record<string, unknown> = {}): Failure => ({
  kind: 'rejected',
  status,
  code: 'X',
  params,
  fields: {},
  at: 0,
})

/** A device with a venue whose answers the test chooses; orders whose id begins with "bad" fail their check. */
function setup(closed: Order[] = []) {
  const shelf = memoryKvStore()
  const state = {
    member: 'anna' as string | undefined,
    alarms: [] as readonly Alarm[],
    closed,
    listing: undefined as Failure | undefined,
    failing: undefined as Failure | undefined,
    asked: [] as string[],
    lists: 0,
    most: 0,
    heads: [] as SeenHead[],
  }
  let running = 0
  const event$ = new Subject<Order>()
  const up$ = new BehaviorSubject(false)
  const evidence = createEvidence(
    { kvStore: shelf, memberId: () => state.member, now: () => 1 },
    (alarms) => {
      state.alarms = alarms
    },
  )
  const answer = async <T>(value: T, failure: Failure | undefined): Promise<Result<T>> => {
    running += 1
    state.most = Math.max(state.most, running)
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
        return answer(state.closed, state.listing)
      },
      proof: (orderId) => {
        state.asked.push(orderId)
        return answer({ order: won(orderId) } as CompleteProof, state.failing)
      },
      check: async ({ order }) =>
        ({ report: { ok: !order.id.startsWith('bad') }, heads: [] }) as unknown as DeviceCheck,
      evidence,
      seenHeads: () => state.heads,
      memberId: () => state.member,
      now: () => 1_000_000,
    })
  return { state, evidence, event$, up$, start }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('own orders are checked in the background', () => {
  it('as they become final, one at a time, the newest first, each once', async () => {
    const { state, evidence, event$, up$, start } = setup()
    const background = start()
    up$.next(true)
    await pass(5000)
    for (const id of ['o1', 'o2', 'o3']) event$.next(won(id, 1_030_000 + Number(id[1])))
    event$.next(sampleOrder({ id: 'runs' }))
    await pass(60_000)
    expect(state.asked).toEqual(['o3', 'o2', 'o1'])
    expect(state.most).toBe(1)
    expect(await evidence.checkedIds()).toEqual(new Set(['o1', 'o2', 'o3']))
    event$.next(won('o1'))
    await pass(60_000)
    expect(state.asked).toHaveLength(3)
    expect(state.alarms).toEqual([])
    background.close()
    expect(event$.observed || up$.observed).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('and those that ended while the app was closed, unless they were checked before', async () => {
    const { state, evidence, up$, start } = setup([won('o3', 3), won('o2', 2), won('o1', 1)])
    await evidence.recordCheck(won('o2'), { ok: true, at: 1 })
    start()
    await pass(60_000)
    expect(state.lists).toBe(0)
    up$.next(true)
    await pass(60_000)
    expect([state.lists, state.asked]).toEqual([1, ['o3', 'o1']])
    up$.next(false)
    state.closed = [won('o4', 4), ...state.closed]
    up$.next(true)
    await pass(60_000)
    expect([state.lists, state.asked]).toEqual([2, ['o3', 'o1', 'o4']])
  })

  it('one whose evidence fails is raised, and the others are checked all the same', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await pass(5000)
    event$.next(won('bad1', 9))
    event$.next(won('o1', 1))
    await pass(10_000)
    expect(state.alarms).toEqual([{ orderId: 'bad1', no: 'BAD1' }])
    expect(state.asked).toEqual(['bad1', 'o1'])
  })
})

describe('a call that fails says nothing about the order', () => {
  it.each<[string, Failure]>([
    ['offline', { kind: 'offline' }],
    ['late', { kind: 'timeout' }],
    ['broken', { kind: 'broken' }],
    ['503', apiFailure(503)],
    ['429', apiFailure(429)],
  ])('%s: it is tried again later, less and less often', async (_, failure) => {
    const { state, evidence, event$, up$, start } = setup()
    start()
    up$.next(true)
    await pass(5000)
    state.failing = failure
    event$.next(won('o1'))
    await pass(betweenOrdersMs + 300)
    expect(state.asked).toHaveLength(1)
    await pass(retryMinMs - 1)
    expect(state.asked).toHaveLength(1)
    await pass(1)
    expect(state.asked).toHaveLength(2)
    await pass(3 * 60 * 60_000)
    const calls = state.asked.length
    expect(calls).toBeLessThan(45)
    expect([state.alarms, (await evidence.checkedIds()).size]).toEqual([[], 0])
    state.failing = undefined
    await pass(retryMaxMs + 1000)
    expect(state.asked).toHaveLength(calls + 1)
    expect((await evidence.checkedIds()).has('o1')).toBe(true)
  })

  it('the pause that the venue asks for is kept, whatever ends meanwhile', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await pass(5000)
    state.failing = apiFailure(429, { retryAfterMs: 60_000 })
    event$.next(won('o1', 1))
    await pass(betweenOrdersMs + 300)
    event$.next(won('o2', 2))
    await pass(59_000)
    expect(state.asked).toEqual(['o1'])
    state.failing = undefined
    await pass(10_000)
    expect(state.asked).toEqual(['o1', 'o2', 'o1'])
  })

  it('one that the venue refuses for good is left until the next connection', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await pass(5000)
    state.failing = apiFailure(404)
    event$.next(won('o1'))
    await pass(60 * 60_000)
    expect(state.asked).toHaveLength(1)
    state.closed = [won('o1')]
    state.failing = undefined
    up$.next(false)
    up$.next(true)
    await pass(5000)
    expect(state.asked).toHaveLength(2)
  })

  it('the list itself is asked for again', async () => {
    const { state, up$, start } = setup([won('o1')])
    state.listing = { kind: 'timeout' }
    start()
    up$.next(true)
    await pass(betweenOrdersMs + 1000)
    expect([state.lists, state.asked]).toEqual([1, []])
    state.listing = undefined
    await pass(retryMinMs + 5000)
    expect([state.lists, state.asked]).toEqual([2, ['o1']])
  })

  it('without a connection nothing is asked', async () => {
    const { state, event$, up$, start } = setup()
    start()
    up$.next(true)
    await pass(5000)
    up$.next(false)
    event$.next(won('o1'))
    await pass(60 * 60_000)
    expect(state.asked).toEqual([])
    up$.next(true)
    await pass(5000)
    expect(state.asked).toEqual(['o1'])
  })
})

it('what was begun for one member is not done for another', async () => {
  const { state, evidence, event$, up$, start } = setup()
  start()
  up$.next(true)
  await pass(5000)
  event$.next(won('o1', 1))
  event$.next(won('o2', 2))
  await pass(betweenOrdersMs + 100)
  expect(state.asked).toEqual(['o2'])
  state.member = 'ben'
  await pass(60_000)
  expect(state.asked).toEqual(['o2'])
  expect((await evidence.checkedIds()).size).toBe(0)
  state.member = undefined
  event$.next(won('o3'))
  await pass(60_000)
  expect(state.asked).toEqual(['o2'])
})

it('while an order runs, heads seen live are kept with it', async () => {
  const { state, evidence, start } = setup()
  await evidence.recordOrder(sampleOrder({ id: 'runs' }), 1)
  await evidence.recordOrder(sampleOrder({ id: 'over', closeAt: 999_999 }), 1)
  const seen = (seq: number): SeenHead => ({
    seq,
    hash: seq.toString(16).padStart(64, 'a'),
    watermark: seq,
    seenAt: seq,
  })
  const background = start()
  state.heads = [seen(1), seen(2)]
  await pass(headEveryMs)
  state.heads = [seen(1), seen(2), seen(3)]
  await pass(headEveryMs)
  expect((await evidence.get('runs')).heads.map(({ seq, from }) => [seq, from])).toEqual([
    [2, 'feed'],
    [3, 'feed'],
  ])
  expect((await evidence.get('over')).heads).toEqual([])
  background.close()
})
