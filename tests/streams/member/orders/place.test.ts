import { NEVER, Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Failure, StoredPlacement, OrderDraft, Placement } from '../../../../streams/index.ts'
import {
  createOrderPlacer,
  placementValidMs,
  type OrderPlacerParts,
} from '../../../../streams/member/orders/place.ts'
import { apiFailure } from '../../../support/fakeWireMarket.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { memoryPlacementStore } from '../../../support/streamsSetup.ts'

const draft: OrderDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
const intent: StoredPlacement = { ...draft, key: 'key-1', validUntil: 1000 + placementValidMs }
const order = sampleOrder({ key: 'key-1' })
const notYet = apiFailure(404, 'NOT_FOUND', intent.validUntil)
const absent = apiFailure(404, 'NOT_FOUND', intent.validUntil + 1)
const timeout: Failure = { kind: 'timeout' }
const placements: Record<string, Placement> = {
  s: { state: 'sending', intent },
  a: { state: 'accepted', intent, order },
  x: { state: 'expired', intent },
  r: { state: 'rejected', intent, failure: apiFailure(422, 'INSUFFICIENT_BALANCE') },
}
const unknownAt = (since: number): Placement => ({ state: 'unknown', intent, since })

type Flow = {
  /** The POST's answer: `o` the order, `#` the failure below. */
  post: string
  failure?: Failure
  /** The result of each lookup in turn; the last one repeats. */
  lookups?: [line: string, failure?: Failure][]
  /** The venue's events: `o` about the order, `e` about another one. */
  events?: string
  /** When another session takes over. */
  account?: string
  expected: string
  unknown?: number
}

const flows: Record<string, Flow> = {
  'is accepted': { post: '--(o|)', expected: 's-a' },
  'is rejected': { post: '--#', failure: apiFailure(422, 'INSUFFICIENT_BALANCE'), expected: 's-r' },
  'is accepted by lookup after a lost answer': {
    post: '---#',
    failure: timeout,
    lookups: [['-(o|)']],
    expected: 's--ua',
    unknown: 1003,
  },
  'is accepted by the third lookup after a lost answer': {
    post: '---#',
    failure: { kind: 'offline' },
    lookups: [['-#', notYet], ['-#', timeout], ['-(o|)']],
    expected: 's--u 2002ms a',
    unknown: 1003,
  },
  'expires if the answer is late and the request never arrived': {
    post: '----',
    lookups: [
      ['-#', notYet],
      ['-#', notYet],
      ['-#', notYet],
      ['-#', absent],
    ],
    expected: 's 3999ms u 3003ms x',
    unknown: 5000,
  },
  'is accepted by a late answer during the lookup': {
    post: '4500ms (o|)',
    lookups: [['-#', notYet]],
    expected: 's 3999ms u 499ms a',
    unknown: 5000,
  },
  'is accepted by an event about it while it is looked up': {
    post: '---#',
    failure: timeout,
    lookups: [['-']],
    events: '----e-o',
    expected: 's--u--a',
    unknown: 1003,
  },
  'is never unknown if the event came before its answer was lost': {
    post: '---#',
    failure: timeout,
    lookups: [['-']],
    events: '-o',
    expected: 's--a',
  },
  'is looked up again if a lookup hangs': {
    post: '#',
    failure: { kind: 'broken' },
    lookups: [['-'], ['-(o|)']],
    expected: '(su) 3997ms a',
    unknown: 1000,
  },
  'is looked up after a server error': {
    post: '-#',
    failure: apiFailure(500, 'INTERNAL'),
    lookups: [['-(o|)']],
    expected: 'sua',
    unknown: 1001,
  },
  'is looked up if a duplicate is in flight': {
    post: '-#',
    failure: apiFailure(409, 'IDEMPOTENCY_IN_FLIGHT'),
    lookups: [['-(o|)']],
    expected: 'sua',
    unknown: 1001,
  },
}

type PlaceSetup = { parts: OrderPlacerParts; sent: string[]; store: ReturnType<typeof memoryPlacementStore> }
type Helpers = Parameters<Parameters<typeof marblesWith>[0]>[0]

function setupFlow(
  { cold, hot }: Helpers,
  scheduler: OrderPlacerParts['scheduler'],
  flow: Flow,
  ...intents: StoredPlacement[]
): PlaceSetup {
  const sent: string[] = []
  const store = memoryPlacementStore(...intents)
  const lookups = [...(flow.lookups ?? [])]
  let keys = 0
  const parts: OrderPlacerParts = {
    place: (key) => {
      sent.push(`${key}${store.stored.has(key) ? ' stored' : ' not stored'}`)
      return cold(flow.post, { o: order }, flow.failure)
    },
    orderByKey: () => {
      const [line, failure] = (lookups.length > 1 ? lookups.shift() : lookups[0]) ?? ['-']
      return cold(line, { o: order }, failure)
    },
    event$: hot(flow.events ?? '-', { o: order, e: sampleOrder({ key: 'key-2' }) }),
    placementStore: store,
    newKey: () => `key-${++keys}`,
    now: () => 1000 + scheduler.now(),
    up$: NEVER,
    account$: hot(flow.account ?? '-'),
    scheduler,
  }
  return { parts, sent, store }
}

describe('place', () => {
  it.each(Object.entries(flows))('%s', (_name, flow) => {
    marblesWith((helpers, scheduler) => {
      const { parts, sent, store } = setupFlow(helpers, scheduler, flow)
      const placer = createOrderPlacer(parts)
      const values = { ...placements, u: unknownAt(flow.unknown ?? 0) }
      // The flow completes with its outcome.
      const expected = flow.expected.replace(/(\w)$/, '($1|)')
      helpers.expectObservable(placer.place(draft)).toBe(expected, values)
      helpers.flush()
      expect(sent).toEqual(['key-1 stored'])
      expect(store.stored.size).toBe(0)
    })
  })

  it('places one order for a double tap, and emits its outcome to both', () =>
    marblesWith((helpers, scheduler) => {
      const { parts, sent } = setupFlow(helpers, scheduler, { post: '----(o|)', expected: '' })
      const placer = createOrderPlacer(parts)
      const first$ = placer.place(draft)
      const second$ = placer.place({ ...draft })
      const other$ = placer.place({ ...draft, direction: 'down' })
      helpers.expectObservable(first$).toBe(' s---(a|)', placements)
      helpers.expectObservable(second$).toBe('s---(a|)', placements)
      helpers.expectObservable(second$, '------^').toBe('------(sa|)', placements)
      other$.subscribe()
      helpers.flush()
      expect(sent).toEqual(['key-1 stored', 'key-2 stored'])
    }))

  it('continues to the outcome without subscribers, and places a new order for a later tap', () =>
    marblesWith((helpers, scheduler) => {
      const { parts, sent, store } = setupFlow(helpers, scheduler, { post: '----(o|)', expected: '' })
      const placer = createOrderPlacer(parts)
      helpers.expectObservable(placer.place(draft), '^-!').toBe('s--', placements)
      helpers.expectObservable(placer.accepted$).toBe('----o', { o: order })
      helpers.flush()
      expect(store.stored.size).toBe(0)
      placer.place(draft)
      expect(sent).toHaveLength(2)
    }))

  it('sends nothing if the venue time is unknown or the intent cannot be stored', () =>
    marblesWith((helpers, scheduler) => {
      const { parts, sent } = setupFlow(helpers, scheduler, { post: '(o|)', expected: '' })
      const timeless = createOrderPlacer({ ...parts, now: () => 0 })
      const full = createOrderPlacer({
        ...parts,
        placementStore: {
          ...parts.placementStore,
          save: () => {
            throw new Error('quota')
          },
        },
      })
      const states: string[] = []
      timeless.place(draft).subscribe((placement) => states.push(placement.state))
      full.place(draft).subscribe((placement) => states.push(placement.state))
      expect(states).toEqual(['rejected', 'rejected'])
      expect(sent).toEqual([])
    }))
})

describe('resumed$', () => {
  it('emits the outcome of an interrupted intent, once', () =>
    marblesWith((helpers, scheduler) => {
      const flow: Flow = { post: '-', lookups: [['-#', notYet], ['-(o|)']], expected: '' }
      const { parts, sent, store } = setupFlow(helpers, scheduler, flow, intent)
      const placer = createOrderPlacer(parts)
      const values = { u: unknownAt(1000), a: placements['a'] }
      helpers.expectObservable(placer.resumed$).toBe('u 1001ms a', values)
      helpers.flush()
      expect(sent).toEqual([])
      expect(store.stored.size).toBe(0)
    }))

  it('keeps the intent without a session until its member is back', () =>
    marblesWith((helpers, scheduler) => {
      const lookups: Flow['lookups'] = [['-#', apiFailure(401, 'UNAUTHENTICATED')], ['-(o|)']]
      const { parts, store } = setupFlow(helpers, scheduler, { post: '-', lookups, expected: '' }, intent)
      const up = new Subject<boolean>()
      const placer = createOrderPlacer({ ...parts, up$: up })
      helpers.cold('-----u').subscribe(() => {
        expect(store.stored.size).toBe(1)
        up.next(true)
      })
      const values = { u: unknownAt(1000), v: unknownAt(1005), a: placements['a'] }
      helpers.expectObservable(placer.resumed$).toBe('u----va', values)
      helpers.flush()
      expect(store.stored.size).toBe(0)
    }))

  it('starts over for another session, and replays nothing of the one before', () =>
    marblesWith((helpers, scheduler) => {
      const flow: Flow = { post: '-', lookups: [['-(o|)']], account: '---x', expected: '' }
      const { parts } = setupFlow(helpers, scheduler, flow, intent)
      const { resumed$ } = createOrderPlacer(parts)
      const values = { u: unknownAt(1000), a: placements['a'] }
      helpers.expectObservable(resumed$).toBe('ua', values)
      helpers.expectObservable(resumed$, '--^').toBe('--(ua)', values)
      helpers.expectObservable(resumed$, '----^').toBe('')
    }))

  it('looks up what the end of a session interrupted, once its member is back', () =>
    marblesWith((helpers, scheduler) => {
      const flow: Flow = { post: '----(o|)', lookups: [['-(o|)']], account: '--x', expected: '' }
      const { parts, store } = setupFlow(helpers, scheduler, flow)
      const placer = createOrderPlacer(parts)
      placer.place(draft)
      helpers.expectObservable(placer.resumed$).toBe('--ua', { u: unknownAt(1002), a: placements['a'] })
      helpers.flush()
      expect(store.stored.size).toBe(0)
    }))

  it('looks nothing up without stored intents', () =>
    marblesWith((helpers, scheduler) => {
      const { parts } = setupFlow(helpers, scheduler, { post: '-', expected: '' })
      helpers.expectObservable(createOrderPlacer(parts).resumed$).toBe('')
    }))
})

describe('outcome$', () => {
  it('keeps outcomes until the first subscriber takes them', () =>
    marblesWith((helpers, scheduler) => {
      const { parts } = setupFlow(helpers, scheduler, { post: '-(o|)', expected: '' })
      const placer = createOrderPlacer(parts)
      placer.place(draft)
      helpers.cold('-----p').subscribe(() => placer.place(draft))
      const later: Placement = {
        state: 'accepted',
        intent: { ...intent, key: 'key-2', validUntil: 6005 },
        order,
      }
      const values = { a: placements['a'], b: later }
      helpers.expectObservable(placer.outcome$, '---^').toBe('---a--b', values)
      helpers.expectObservable(placer.outcome$, '----^').toBe('------b', values)
      helpers.expectObservable(placer.accepted$, '---^').toBe('------o', { o: order })
    }))

  it('keeps none for another session', () =>
    marblesWith((helpers, scheduler) => {
      const { parts } = setupFlow(helpers, scheduler, { post: '-(o|)', account: '---x', expected: '' })
      const placer = createOrderPlacer(parts)
      placer.place(draft)
      helpers.expectObservable(placer.outcome$, '----^').toBe('')
    }))
})

describe('another session', () => {
  it('ends the requests of the one before, whose answers are not its orders, and keeps their intents', () =>
    marblesWith((helpers, scheduler) => {
      const flow: Flow = { post: '----(o|)', account: '--x', expected: '' }
      const { parts, sent, store } = setupFlow(helpers, scheduler, flow)
      const placer = createOrderPlacer(parts)
      helpers.expectObservable(placer.place(draft)).toBe('s-|', placements)
      helpers.expectObservable(placer.accepted$).toBe('')
      helpers.expectObservable(placer.outcome$).toBe('')
      helpers.flush()
      expect(store.stored.size).toBe(1)
      placer.place(draft)
      expect(sent).toHaveLength(2)
    }))
})

describe('close', () => {
  it('ends requests in flight and keeps the intent for the next start', () =>
    marblesWith((helpers, scheduler) => {
      const { parts, store } = setupFlow(helpers, scheduler, { post: '-', expected: '' })
      const placer = createOrderPlacer(parts)
      helpers.cold('--c').subscribe(() => placer.close())
      helpers.expectObservable(placer.place(draft)).toBe('s-|', placements)
      helpers.flush()
      expect(store.stored.size).toBe(1)
    }))
})
