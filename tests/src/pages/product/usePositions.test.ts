import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { shownPositions$, type Shown } from '../../../../src/pages/product/usePositions.ts'
import type { EndedOrder, Loadable, Order } from '../../../../streams/index.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const open = (...ids: string[]): Loadable<Order[]> => ({
  state: 'ready',
  value: ids.map((id) => sampleOrder({ id, productId: id === 'z' ? 'B' : 'A' })),
  fresh: true,
})
const ended = (id: string, noticedAt: number): EndedOrder => ({
  order: sampleOrder({ id, productId: id === 'z' ? 'B' : 'A', status: 'won' }),
  noticedAt,
})
/** Open orders, with a full stop after those that are settling; results, and an exclamation mark after those that are new. */
const texts = ({ open: orders, results, fresh }: Shown): string =>
  `${orders?.map(({ id, status }) => id + (status === 'settling' ? '.' : '')).join('') ?? '?'}|${results
    .map((ended) => ended.order.id + (fresh.includes(ended) ? '!' : ''))
    .join('')}`

function expectShown(openLine: string, endedLine: string, ended: Record<string, EndedOrder[]>): string[] {
  const shown: string[] = []
  marblesWith(({ hot, flush }, scheduler) => {
    const lists = {
      l: { state: 'loading' } as const,
      '0': open(),
      a: open('a'),
      b: open('b', 'a'),
      z: open('z'),
    }
    const orders = { open$: hot<Loadable<Order[]>>(openLine, lists), ended$: hot(endedLine, ended) }
    shownPositions$(orders, 'A', () => 6000 + scheduler.now()).subscribe((next) => {
      if (texts(next) !== shown.at(-1)) shown.push(texts(next))
    })
    flush()
  })
  return shown
}

describe('shownPositions$', () => {
  it('shows the open orders and the results of its product', () => {
    expect(expectShown('-l-a-0', '-----x', { x: [ended('a', 6005), ended('z', 6005)] })).toEqual([
      '?|',
      'a|',
      'a.|',
      '|a!',
      '|a',
    ])
  })
  it('keeps an order that is listed no more until its result is known, beside those that still run', () => {
    const lists = expectShown('-b-a-0', '-------x', { x: [ended('b', 6007), ended('a', 6007)] })
    expect(lists).toEqual(['ba|', 'b.a|', 'b.a.|', '|a!b!', '|ab'])
  })
  it('takes an order back that the list had left out, and keeps the results', () => {
    const lists = expectShown('-a-0 20ms a', '---x', { x: [ended('c', 6003)] })
    expect(lists).toEqual(['a|', 'a.|', 'a.|c!', 'a|c!', 'a|c'])
  })
  it('forgets what another session had open', () => {
    expect(expectShown('-a-l-0', '-', {})).toEqual(['a|', '?|', '|'])
  })
  it('shows what ended a moment before it was opened, and nothing older', () => {
    expect(expectShown('-0', '-x', { x: [ended('old', 900), ended('a', 1001)] })).toEqual(['|', '|a!', '|a'])
  })
  it('puts a result away when the next order is placed', () => {
    const lines = ['-0 15s a', '---x'] as const
    expect(expectShown(...lines, { x: [ended('c', 6003)] })).toEqual(['|', '|c!', '|c', 'a|'])
  })
  it('keeps a result that came while the next order was being confirmed', () => {
    const lines = ['-0 2s a', '---x'] as const
    expect(expectShown(...lines, { x: [ended('c', 6003)] })).toEqual(['|', '|c!', 'a|c!', 'a|c'])
  })
  it('shows the newest first', () => {
    const four = ['c', 'd', 'e', 'f'].map((id) => ended(id, 6001))
    expect(expectShown('-0', '-x', { x: four })).toEqual(['|', '|f!e!d!c!', '|fedc'])
  })
})

describe('when the page can be laid out', () => {
  const failed: Loadable<Order[]> = { state: 'failed', failure: { kind: 'timeout' } }
  it.each([
    ['once the orders are loaded', '-l-o', '-n-k'],
    ['once they cannot be loaded', '-l-f', '-n-k'],
    ['also while they are loaded again', '-o-l', '-k-k'],
    ['once they take too long', '-l', '-n 4998ms k'],
  ])('%s', (_when, lists, known) => {
    marblesWith(({ hot, expectObservable }, scheduler) => {
      const open$ = hot<Loadable<Order[]>>(lists, { l: { state: 'loading' }, o: open(), f: failed })
      const shown$ = shownPositions$({ open$, ended$: hot('') }, 'A', () => 6000, scheduler)
      expectObservable(shown$.pipe(map(({ isKnown }) => isKnown)), '^ 5000ms !').toBe(
        known.endsWith('ms k') ? known : `${known} ${5000 - known.length}ms k`,
        { n: false, k: true },
      )
    })
  })
})
