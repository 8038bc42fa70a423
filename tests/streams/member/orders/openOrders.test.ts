import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Loadable, Order } from '../../../../streams/index.ts'
import { createReloadPolicy } from '../../../../streams/member/reloadPolicy.ts'
import { createOpenOrders, upsertOpen } from '../../../../streams/member/orders/openOrders.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const accepted = sampleOrder()
const open = sampleOrder({
  status: 'open',
  version: 2,
  entry: { seq: 1, at: epochMs(1_000_001), price: '100.00' },
})
const won = sampleOrder({ status: 'won', version: 3 })
const other = sampleOrder({ id: 'o2', no: '2', acceptedAt: epochMs(1_000_500) })

describe('upsertOpen', () => {
  it.each([
    ['adds a new order, newest first', [accepted], other, [other, accepted]],
    ['applies a newer version', [other, accepted], open, [other, open]],
    ['keeps a newer version', [open], accepted, [open]],
    ['removes an ended order', [other, open], won, [other]],
    ['does not add an ended order', [other], won, [other]],
    [
      'sorts orders of one instant by number',
      [accepted],
      sampleOrder({ id: 'o3', no: '3' }),
      [sampleOrder({ id: 'o3', no: '3' }), accepted],
    ],
  ])('%s', (_name, before, event, after) => {
    expect(upsertOpen(before, event)).toEqual(after)
  })
})

const updown = { u: true, d: false }
const ready = <T>(value: T, fresh = true): Loadable<T> => ({ state: 'ready', value, fresh })

describe('open$', () => {
  it('is fetched, patched by events, not fresh while down, and fetched again when up', () =>
    marblesWith(({ hot, cold, expectObservable, expectSubscriptions }, scheduler) => {
      const up$ = hot('       u------d-u--------', updown)
      const event$ = hot('    -o--p-----w-------', { o: open, p: other, w: won })
      const answers = [cold('  --(a|)', { a: [accepted] }), cold('---(b|)', { b: [other, open] })]
      const expected = '      l-a-b--x----c-----'
      const subs = ['         ^--------!', '   ---------^--------!']
      const streams = createOpenOrders({
        positions: () => answers.shift() ?? cold('#'),
        order: () => cold<Order>('#'),
        event$,
        reloadPolicy: createReloadPolicy({ up$, resume$: cold(''), account$: NEVER, scheduler }),
      })
      expectObservable(streams.open$, '^----------------!').toBe(expected, {
        l: { state: 'loading' },
        a: ready([open]),
        b: ready([other, open]),
        x: ready([other, open], false),
        c: ready([other]),
      })
      // The grace period keeps the last one for five seconds.
      expectSubscriptions(event$.subscriptions).toBe([subs[0]!, '---------^------- 5s !'])
    }))
})

describe('order$', () => {
  it('follows an order to its end', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const streams = createOpenOrders({
        positions: () => cold<Order[]>('#'),
        order: () => cold('  --(a|)', { a: accepted }),
        event$: hot('        -x--o--x-w', { x: other, o: open, w: won }),
        reloadPolicy: createReloadPolicy({
          up$: hot('u', updown),
          resume$: cold(''),
          account$: NEVER,
          scheduler,
        }),
      })
      const expected = '     l-a-o----w'
      const values = { l: { state: 'loading' }, a: ready(accepted), o: ready(open), w: ready(won) }
      expectObservable(streams.order$('o1')).toBe(expected, values)
      expect(streams.order$('o1')).toBe(streams.order$('o1'))
    }))
})
