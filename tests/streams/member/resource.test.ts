import { NEVER, Subject, VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { newerVersion } from '../../../contract/version.ts'
import { createReloadPolicy } from '../../../streams/member/reloadPolicy.ts'
import { createResource, resource$ } from '../../../streams/member/resource.ts'
import type { Loadable } from '../../../streams/index.ts'
import { apiFailure } from '../../support/fakeWireMarket.ts'
import { marblesWith } from '../../support/marbles.ts'

type Value = { version: number; of?: string }
const updown = { u: true, d: false }
const ready = (value: Value, fresh = true): Loadable<Value> => ({ state: 'ready', value, fresh })
const v = { 1: { version: 1 }, 2: { version: 2 }, 3: { version: 3 }, 4: { version: 4 } }
const loading: Loadable<Value> = { state: 'loading' }

describe('resource$', () => {
  it.each([
    ['an event during the fetch wins over an older answer', '--3--------', '----1-----', 'l---c'],
    ['an answer wins over an older event', '--1--------', '----3-----', 'l---c'],
    ['events in the wrong order end with the newest', '------3-2--', '----1-----', 'l---a-c'],
  ])('%s', (_what, events, answer, expected) =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const value$ = resource$<Value, Value>({
        fetch: () => cold(`${answer}|`, v),
        event$: hot(events, v),
        fold: newerVersion,
        reloadPolicy: createReloadPolicy({ up$: of(true), resume$: NEVER, account$: NEVER, scheduler }),
        retainMs: 0,
      })
      expectObservable(value$, '^---------!').toBe(expected, { l: loading, a: ready(v[1]), c: ready(v[3]) })
    }),
  )

  it('is fetched at once, after each connect and on resume, and is not fresh while the wire is down', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const up$ = hot('     u-----d--u-------', updown)
      const resume$ = hot(' -------------r---')
      const answers = [cold('--a|', { a: v[1] }), cold('-b|', { b: v[2] }), cold('--c|', { c: v[3] })]
      const value$ = resource$<Value, Value>({
        fetch: () => answers.shift() ?? cold('#'),
        event$: NEVER,
        fold: newerVersion,
        reloadPolicy: createReloadPolicy({ up$, resume$, account$: NEVER, scheduler }),
        retainMs: 0,
      })
      const expected = '    l-a---x---b----c'
      const values = { l: loading, a: ready(v[1]), x: ready(v[1], false), b: ready(v[2]), c: ready(v[3]) }
      expectObservable(value$, '^---------------!').toBe(expected, values)
    }))

  it('starts over for another session, and drops the answer that was on its way', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const account$ = hot('---------a---------')
      const mine = { version: 9, of: 'me' }
      const theirs = { version: 1, of: 'them' }
      const answers = [cold('--a|', { a: mine }), cold('----b|', { b: theirs })]
      const resume$ = hot(' ------r------------')
      answers.splice(1, 0, cold('-----a|', { a: mine }))
      const value$ = resource$<Value, Value>({
        fetch: () => answers.shift() ?? cold('#'),
        event$: NEVER,
        fold: newerVersion,
        reloadPolicy: createReloadPolicy({ up$: of(true), resume$, account$, scheduler }),
        retainMs: 0,
      })
      const expected = '    l-a------l---b'
      expectObservable(value$, '^------------------!').toBe(expected, {
        l: loading,
        a: ready(mine),
        b: ready(theirs),
      })
    }))
})

describe('createResource', () => {
  const setupResource = () => {
    const event$ = new Subject<Value>()
    const account$ = new Subject<void>()
    const requests: {
      signal: AbortSignal
      resolve: (value: Value) => void
      reject: (failure: unknown) => void
    }[] = []
    const fetch = (signal: AbortSignal): Promise<Value> =>
      new Promise((resolve, reject) => requests.push({ signal, resolve, reject }))
    const resource = createResource<Value>(
      { fetch, event$, isNewer: (next, known) => next.version > known.version },
      createReloadPolicy({
        up$: of(true),
        resume$: NEVER,
        account$,
        scheduler: new VirtualTimeScheduler(),
      }),
    )
    const shown: Loadable<Value>[] = []
    const subscription = resource.value$.subscribe((loadable) => shown.push(loadable))
    return { resource, event$, requests, shown, subscription }
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('applies the answer of an own call, unless a newer event came before it', async () => {
    const { resource, event$, requests, shown } = setupResource()
    requests[0]?.resolve(v[1])
    await settled()
    resource.put(v[2])
    expect(shown.at(-1)).toEqual(ready(v[2]))
    event$.next(v[4])
    resource.put(v[3])
    expect(shown.at(-1)).toEqual(ready(v[4]))
  })

  it('shows that it is loading again after a failure without a value', async () => {
    const { resource, requests, shown } = setupResource()
    requests[0]?.reject(apiFailure(404, 'NOT_FOUND'))
    await settled()
    expect(shown.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'NOT_FOUND' } })
    resource.reload()
    expect(shown.at(-1)).toEqual(loading)
    requests[1]?.resolve(v[1])
    await settled()
    resource.reload()
    expect(shown.at(-1)).toEqual(ready(v[1]))
  })

  it('aborts a fetch that a reload replaces', () => {
    const { resource, requests } = setupResource()
    resource.reload()
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })
})
