import { asyncScheduler, BehaviorSubject, Subject } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createReloadPolicy } from '../../../streams/member/reloadPolicy.ts'
import { pagedList } from '../../../streams/member/pagedList.ts'
import type { ListState, PagedListParts } from '../../../streams/types.ts'
import { apiFailure } from '../../support/fakeWireMarket.ts'
import { flushTimers } from '../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Item = { id: string; at: number; version: number }
const item = (text: string): Item => ({
  id: text.charAt(0),
  at: text.charCodeAt(0),
  version: Number(text.slice(1)),
})
const items = (text: string): Item[] => text.split(' ').map(item)
const isNewer = (next: Item, known: Item): boolean => next.version > known.version

/** A list whose requests are answered by hand: each a cursor, or nothing for the first page. */
function setupList(rules: Pick<PagedListParts<Item>, 'isNewer' | 'itemsMax'> = { isNewer }) {
  const up$ = new BehaviorSubject(true)
  const resume$ = new Subject<void>()
  const account$ = new Subject<void>()
  const event$ = new Subject<Item>()
  const requests: {
    cursor: string | undefined
    signal: AbortSignal
    resolve: (text: string) => void
    reject: (failure: unknown) => void
  }[] = []
  const list = pagedList<Item>(
    {
      ...rules,
      compare: (a, b) => b.at - a.at,
      event$,
      load: (cursor, signal) =>
        new Promise((resolve, reject) => {
          const answer = (text: string): void => {
            const [page = '', nextCursor = null] = text.split(' > ')
            resolve({ items: items(page), nextCursor })
          }
          requests.push({ cursor, signal, resolve: answer, reject })
        }),
    },
    createReloadPolicy({ up$, resume$, account$, scheduler: asyncScheduler }),
  )
  let state: ListState<Item> | undefined
  const subscription = list.state$.subscribe((next) => (state = next))
  const request = (n: number) => requests.at(n) ?? expect.fail(`no request ${n}`)
  return {
    list,
    resume$,
    account$,
    event: (text: string) => event$.next(item(text)),
    subscription,
    requests,
    request,
    reconnect: () => {
      up$.next(false)
      up$.next(true)
    },
    /** Answers the newest request with items and, after `>`, a cursor. */
    answer: async (text: string, n = -1) => {
      request(n).resolve(text)
      await flushTimers()
    },
    fail: async (failure: unknown) => {
      request(-1).reject(failure)
      await flushTimers()
    },
    state: () => state ?? expect.fail('no state'),
    shown: () => state?.items.map(({ id, version }) => id + version).join(' '),
  }
}
const unavailable = apiFailure(503, 'UNAVAILABLE')

it('keeps what an event brings while a page loads', async () => {
  const { list, event, answer, shown } = setupList()
  event('c2')
  await answer('c1 b1 > b')
  expect(shown()).toBe('c2 b1')
  list.more()
  event('b2')
  event('a2')
  await answer('a1')
  expect(shown()).toBe('c2 b2 a2')
})

it('drops a page that was requested before a reconnect, and starts over', async () => {
  const { list, answer, request, reconnect, shown, requests } = setupList()
  await answer('d1 c1 > c')
  list.more()
  const older = request(-1)
  reconnect()
  expect(older.signal.aborted).toBe(true)
  older.resolve('b1 a1')
  await answer('e1 d2 > d')
  expect(shown()).toBe('e1 d2')
  expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, 'c', undefined])
})

it.each([
  ['keeps the loaded pages on resume', { isNewer }, 'resume', 'e1 d1 c1 b1'],
  ['starts over on reconnect if its items change', { isNewer }, 'reconnect', 'e1 d1 c1'],
  ['keeps the loaded pages on reconnect if its items never change', {}, 'reconnect', 'e1 d1 c1 b1'],
])('%s', async (_what, rules, reason, expected) => {
  const { list, answer, reconnect, resume$, shown } = setupList(rules)
  await answer('d1 c1 > c')
  list.more()
  await answer('b1')
  if (reason === 'resume') resume$.next()
  else reconnect()
  await answer('e1 d1 c1 > c')
  expect(shown()).toBe(expected)
})

it('shows nothing of another member, not even an answer that was on its way', async () => {
  const { account$, answer, request, shown, state, requests } = setupList()
  await answer('b1 a1 > a')
  account$.next()
  expect(state()).toMatchObject({ items: [], cursor: undefined, loading: true })
  const own = request(-1)
  account$.next()
  own.resolve('z1')
  await flushTimers()
  expect(shown()).toBe('')
  await answer('y1')
  expect([shown(), requests.length]).toEqual(['y1', 3])
})

it('retries a first page that fails for the moment, without showing that it loads', async () => {
  const { fail, answer, state, shown, requests } = setupList()
  await fail(unavailable)
  expect(state()).toMatchObject({ loading: false, failure: { code: 'UNAVAILABLE' }, cursor: undefined })
  await flushTimers(1000)
  expect([requests.length, state().loading]).toEqual([2, false])
  await answer('a1')
  expect([shown(), state().failure]).toEqual(['a1', undefined])
})

it('repeats what failed on retry, and only then', async () => {
  const { list, answer, fail, state, shown, requests } = setupList()
  await answer('b1 > b')
  list.more()
  list.more()
  await fail(unavailable)
  await flushTimers(60_000)
  expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, 'b'])
  expect([shown(), state().failure]).toEqual(['b1', unavailable])
  list.retry()
  await answer('a1')
  list.more()
  expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, 'b', 'b'])
  expect([shown(), state().cursor]).toEqual(['b1 a1', null])
})

it('applies the answer of an own call before its event', async () => {
  const { list, event, answer, shown } = setupList()
  await answer('b1 a1')
  list.upsert(item('a2'), item('c1'))
  event('a2')
  event('a1')
  expect(shown()).toBe('c1 b1 a2')
})

it('starts over when it has grown beyond its limit', async () => {
  const { event, answer, shown, requests } = setupList({ isNewer, itemsMax: 2 })
  await answer('b1 a1')
  event('c1')
  await flushTimers()
  expect(requests.length).toBe(2)
  await answer('c1 b1 > b')
  expect(shown()).toBe('c1 b1')
})

it('requests nothing before it is subscribed, and aborts its request after', async () => {
  const { subscription, request, requests } = setupList()
  expect(requests.length).toBe(1)
  subscription.unsubscribe()
  await flushTimers()
  expect(request(0).signal.aborted).toBe(true)
})
