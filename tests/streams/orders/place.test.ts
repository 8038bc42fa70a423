import { NEVER, Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Failure, StoredPlacement, OrderDraft, Placement } from '../../../streams/index.ts'
import { createOrderPlacer, placementValidMs } from '../../../streams/orders/place.ts'
import type { OrderPlacerParts } from '../../../streams/orders/place.ts'
import { apiFailure } from '../../support/fakeMarket.ts'
import { marblesWith } from '../../support/marbles.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { memoryPlacementStore } from '../../support/streamsSetup.ts'

const draft: OrderDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
const intent: StoredPlacement = { ...draft, key: 'key-1', validUntil: 1000 + placementValidMs }
const order = sampleOrder({ key: 'key-1' })
const notYet = apiFailure(404, 'NOT_FOUND', intent.validUntil)
const never = apiFailure(404, 'NOT_FOUND', intent.validUntil + 1)
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
  /** Each look-up in turn; the last one goes on. */
  lookups?: [line: string, failure?: Failure][]
  expected: string
  unknown?: number
}

const flows: Record<string, Flow> = {
  'is accepted': { post: '--(o|)', expected: 's-a' },
  'is refused by a rule': { post: '--#', failure: apiFailure(422, 'INSUFFICIENT_BALANCE'), expected: 's-r' },
  'loses its answer, and the order is there': {
    post: '---#',
    failure: timeout,
    lookups: [['-(o|)']],
    expected: 's--ua',
    unknown: 1003,
  },
  'loses its answer, and the order is seen at the third look': {
    post: '---#',
    failure: { kind: 'offline' },
    lookups: [['-#', notYet], ['-#', timeout], ['-(o|)']],
    expected: 's--u 2002ms a',
    unknown: 1003,
  },
  'is called lost when the answer is late, and never arrived': {
    post: '----',
    lookups: [
      ['-#', notYet],
      ['-#', notYet],
      ['-#', notYet],
      ['-#', never],
    ],
    expected: 's 3999ms u 3003ms x',
    unknown: 5000,
  },
  'is answered late, while it is being looked up': {
    post: '4500ms (o|)',
    lookups: [['-#', notYet]],
    expected: 's 3999ms u 499ms a',
    unknown: 5000,
  },
  'looks up again when a look-up hangs': {
    post: '#',
    failure: { kind: 'broken' },
    lookups: [['-'], ['-(o|)']],
    expected: '(su) 3997ms a',
    unknown: 1000,
  },
  'takes a broken venue for a lost answer': {
    post: '-#',
    failure: apiFailure(500, 'INTERNAL'),
    lookups: [['-(o|)']],
    expected: 'sua',
    unknown: 1001,
  },
  'waits for its own twin in flight': {
    post: '-#',
    failure: apiFailure(409, 'IDEMPOTENCY_IN_FLIGHT'),
    lookups: [['-(o|)']],
    expected: 'sua',
    unknown: 1001,
  },
}

type PlaceSetup = { parts: OrderPlacerParts; sent: string[]; shelf: ReturnType<typeof memoryPlacementStore> }
type Helpers = Parameters<Parameters<typeof marblesWith>[0]>[0]

function setupFlow(
  { cold }: Helpers,
  scheduler: OrderPlacerParts['scheduler'],
  flow: Flow,
  ...kept: StoredPlacement[]
): PlaceSetup {
  const sent: string[] = []
  const shelf = memoryPlacementStore(...kept)
  const lookups = [...(flow.lookups ?? [])]
  let keys = 0
  const parts: OrderPlacerParts = {
    place: (key) => {
      sent.push(`${key}${shelf.stored.has(key) ? ' kept' : ' not kept'}`)
      return cold(flow.post, { o: order }, flow.failure)
    },
    orderByKey: () => {
      const [line, failure] = (lookups.length > 1 ? lookups.shift() : lookups[0]) ?? ['-']
      return cold(line, { o: order }, failure)
    },
    placementStore: shelf,
    newKey: () => `key-${++keys}`,
    now: () => 1000 + scheduler.now(),
    up$: NEVER,
    scheduler,
  }
  return { parts, sent, shelf }
}

describe('an intent', () => {
  it.each(Object.entries(flows))('%s', (_name, flow) => {
    marblesWith((helpers, scheduler) => {
      const { parts, sent, shelf } = setupFlow(helpers, scheduler, flow)
      const placing = createOrderPlacer(parts)
      const values = { ...placements, u: unknownAt(flow.unknown ?? 0) }
      // The flow completes with its outcome.
      const expected = flow.expected.replace(/(\w)$/, '($1|)')
      helpers.expectObservable(placing.place(draft)).toBe(expected, values)
      helpers.flush()
      expect(sent).toEqual(['key-1 kept'])
      expect(shelf.stored.size).toBe(0)
    })
  })

  it('of a double tap is one order, told to both', () =>
    marblesWith((helpers, scheduler) => {
      const { parts, sent } = setupFlow(helpers, scheduler, { post: '----(o|)', expected: '' })
      const placing = createOrderPlacer(parts)
      const first$ = placing.place(draft)
      const second$ = placing.place({ ...draft })
      const other$ = placing.place({ ...draft, direction: 'down' })
      helpers.expectObservable(first$).toBe(' s---(a|)', placements)
      helpers.expectObservable(second$).toBe('s---(a|)', placements)
      helpers.expectObservable(second$, '------^').toBe('------(sa|)', placements)
      other$.subscribe()
      helpers.flush()
      expect(sent).toEqual(['key-1 kept', 'key-2 kept'])
    }))

  it('goes on to its end when the page is left, and a new tap afterwards is a new order', () =>
    marblesWith((helpers, scheduler) => {
      const { parts, sent, shelf } = setupFlow(helpers, scheduler, { post: '----(o|)', expected: '' })
      const placing = createOrderPlacer(parts)
      helpers.expectObservable(placing.place(draft), '^-!').toBe('s--', placements)
      helpers.expectObservable(placing.accepted$).toBe('----o', { o: order })
      helpers.flush()
      expect(shelf.stored.size).toBe(0)
      placing.place(draft)
      expect(sent).toHaveLength(2)
    }))

  it('is not sent while the venue time is unknown, or where it cannot be kept', () =>
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

describe('a reload', () => {
  it('between tap and answer is told to its end, once', () =>
    marblesWith((helpers, scheduler) => {
      const flow: Flow = { post: '-', lookups: [['-#', notYet], ['-(o|)']], expected: '' }
      const { parts, sent, shelf } = setupFlow(helpers, scheduler, flow, intent)
      const placing = createOrderPlacer(parts)
      const values = { u: unknownAt(1000), a: placements['a'] }
      helpers.expectObservable(placing.resumed$).toBe('u 1001ms a', values)
      helpers.flush()
      expect(sent).toEqual([])
      expect(shelf.stored.size).toBe(0)
    }))

  it('without a session keeps the intent until its member is back', () =>
    marblesWith((helpers, scheduler) => {
      const lookups: Flow['lookups'] = [['-#', apiFailure(401, 'UNAUTHENTICATED')], ['-(o|)']]
      const { parts, shelf } = setupFlow(helpers, scheduler, { post: '-', lookups, expected: '' }, intent)
      const up = new Subject<boolean>()
      const placing = createOrderPlacer({ ...parts, up$: up })
      helpers.cold('-----u').subscribe(() => {
        expect(shelf.stored.size).toBe(1)
        up.next(true)
      })
      const values = { u: unknownAt(1000), v: unknownAt(1005), a: placements['a'] }
      helpers.expectObservable(placing.resumed$).toBe('u----va', values)
      helpers.flush()
      expect(shelf.stored.size).toBe(0)
    }))

  it('after the end looks nothing up', () =>
    marblesWith((helpers, scheduler) => {
      const { parts } = setupFlow(helpers, scheduler, { post: '-', expected: '' })
      helpers.expectObservable(createOrderPlacer(parts).resumed$).toBe('')
    }))
})

describe('closing', () => {
  it('ends what is on its way and leaves the intent for the next start', () =>
    marblesWith((helpers, scheduler) => {
      const { parts, shelf } = setupFlow(helpers, scheduler, { post: '-', expected: '' })
      const placing = createOrderPlacer(parts)
      helpers.cold('--c').subscribe(() => placing.close())
      helpers.expectObservable(placing.place(draft)).toBe('s-|', placements)
      helpers.flush()
      expect(shelf.stored.size).toBe(1)
    }))
})
