import { Subject, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Loadable, Order, SeenOpen } from '../../../../streams/index.ts'
import { ended$, noMemory, type EndedParts } from '../../../../streams/member/orders/ended.ts'
import { apiFailure } from '../../../support/fakeWireMarket.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const won = (id: string): Order =>
  sampleOrder({ id, status: 'won', version: 3, settledAt: epochMs(id.codePointAt(0) ?? 0) })
const open = (...ids: string[]): Loadable<Order[]> => ({
  state: 'ready',
  value: ids.map((id) => sampleOrder({ id })),
  fresh: true,
})
const lists: Record<string, Loadable<Order[]>> = {
  l: { state: 'loading' },
  x: { ...open('a', 'b'), fresh: false } as Loadable<Order[]>,
  '0': open(),
  A: open('a'),
  B: open('a', 'b'),
  C: open('a', 'b', 'c'),
}
const events: Record<string, Order> = {
  a: won('a'),
  b: won('b'),
  o: sampleOrder({ id: 'a', status: 'open' }),
}
/** What has ended so far, by id. */
const told: Record<string, string> = { n: '', a: 'a', b: 'a b', c: 'a b c', t: 'b' }

type Flow = {
  list: string
  events?: string
  /** The venue's answer by id: when it comes and which one it is. */
  orders?: Record<string, [line: string, values?: Record<string, Order>, error?: unknown][]>
  seenOpen?: SeenOpen
  /** When another session takes over. */
  account?: string
  expected: string
}

function expectEnded({
  list,
  events: eventLine = '',
  orders = {},
  account = '',
  expected,
  ...rest
}: Flow): string[] {
  const asked: string[] = []
  marblesWith(({ hot, cold, expectObservable, flush }, scheduler) => {
    const parts: EndedParts = {
      open$: hot(list, lists),
      event$: hot(eventLine, events),
      order: (id) => {
        asked.push(id)
        const [line, values = { w: won(id) }, error] = orders[id]?.shift() ?? ['(w|)']
        return cold(line, values, error)
      },
      seenOpen: noMemory,
      account$: hot(account),
      monotonic: () => scheduler.now(),
      scheduler,
      ...rest,
    }
    const ids$ = new Subject<string>()
    ended$(parts).subscribe((all) => ids$.next(all.map(({ order }) => order.id).join(' ')))
    // The first emission is the empty list.
    expectObservable(ids$).toBe(expected, told)
    flush()
  })
  return asked
}

describe('ended$', () => {
  it('tells an order at its event, and asks for nothing', () => {
    expect(expectEnded({ list: '-B---0', events: '---a-(ab)', expected: '---a-b' })).toEqual([])
  })

  it('asks for an order that left the list without an event, and tells it once', () => {
    const asked = expectEnded({
      list: '-A-x----0 2000ms 0',
      events: '         2100ms a',
      orders: { a: [['--(w|)']] },
      expected: '       -------- 102ms a',
    })
    expect(asked).toEqual(['a'])
  })

  it('tells those that left the list together at once', () => {
    const asked = expectEnded({
      list: '-C------0',
      orders: { b: [['200ms (w|)']] },
      expected: '-------- 300ms c',
    })
    expect(asked).toEqual(['a', 'b', 'c'])
  })

  it('does not keep those that are known waiting for one whose answer is late', () =>
    void expectEnded({
      list: '-B------0',
      orders: { b: [['6000ms (w|)']] },
      expected: '-------- 5100ms a 999ms b',
    }))

  it('asks again after a failure that passes', () => {
    const asked = expectEnded({
      list: '-A------0',
      orders: { a: [['#', {}, { kind: 'offline' }]] },
      expected: '-------- 1100ms a',
    })
    expect(asked).toEqual(['a', 'a'])
  })

  it('tells nothing of an order that the venue has not settled, until its event', () => {
    const asked = expectEnded({
      list: '-A------0',
      events: '        2000ms a',
      orders: { a: [['(o|)', { o: sampleOrder({ id: 'a' }) }]] },
      expected: '      2000ms a',
    })
    expect(asked).toEqual(['a'])
  })

  it('ignores lists that may be outdated', () => {
    expect(expectEnded({ list: '-Cx', expected: '' })).toEqual([])
  })

  it('asks once for one that it has told and that an older list shows open', () => {
    const asked = expectEnded({
      list: '-A----A-0 9000ms 0 9000ms 0',
      events: '---a',
      expected: '---a',
    })
    expect(asked).toEqual(['a'])
  })

  it('asks for what the device saw open before it was closed, and forgets what is not the member’s', () => {
    const forgotten: string[] = []
    const added: string[] = []
    const asked = expectEnded({
      list: '---A',
      orders: { t: [['#', {}, apiFailure(404, 'NOT_FOUND')]], b: [['(w|)']] },
      seenOpen: {
        load: () => of(['a', 'b', 't']),
        add: (ids) => added.push(...ids),
        forget: (ids) => forgotten.push(...ids),
      },
      expected: '--- 100ms t',
    })
    expect(asked).toEqual(['b', 't'])
    expect(forgotten).toEqual(['t'])
    expect(added).toEqual([])
  })

  it('remembers what it sees open', () => {
    const added: string[][] = []
    expectEnded({
      list: '-A-B-B',
      seenOpen: { ...noMemory, add: (ids) => added.push([...ids]) },
      expected: '',
    })
    expect(added).toEqual([['a'], ['b']])
  })

  it('starts over for another session', () =>
    void expectEnded({
      list: '-A-----',
      events: '--a--b',
      account: '---x',
      expected: '--an-t',
    }))
})
