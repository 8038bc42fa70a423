import { describe, expect, it } from 'vitest'
import { joinRuns, type JoinEvent, type Snapshot } from '../../../streams/operators/joinRuns.ts'
import type { Failure } from '../../../streams/index.ts'
import { marblesWith } from '../../support/marbles.ts'
import { runOfPrices } from '../../support/tickRuns.ts'

/** A start, then ticks 6 and 7, 8, 9. */
const runs = { s: runOfPrices(6), a: runOfPrices(6, 16, 17), b: runOfPrices(8, 18), c: runOfPrices(9, 19) }
const upTo = (lastSeq: number, isCut = false): Snapshot<number> => ({ value: lastSeq, lastSeq, isCut })
const offline: Failure = { kind: 'offline' }
const rejected: Failure = { kind: 'rejected', status: 404, code: 'NOT_FOUND', params: {}, fields: {}, at: 0 }
const events: Record<string, JoinEvent<number>> = {
  5: { kind: 'snapshot', value: 5 },
  6: { kind: 'snapshot', value: 6 },
  7: { kind: 'snapshot', value: 7 },
  a: { kind: 'run', run: runs.a },
  z: { kind: 'run', run: runOfPrices(7, 17) },
  b: { kind: 'run', run: runs.b },
  c: { kind: 'run', run: runs.c },
  o: { kind: 'failed', failure: offline },
  r: { kind: 'failed', failure: rejected },
}

describe('joinRuns', () => {
  it('fetches at the start, and emits the ticks that arrive meanwhile after the snapshot', () =>
    marblesWith(({ hot, cold, expectObservable, expectSubscriptions }, scheduler) => {
      const run$ = hot('  -s-a-----b---c', runs)
      const fetch$ = cold('----(5|)', { 5: upTo(5) })
      const expected = '  -----(5a)b---c'
      const until = '     ^------------------!'
      expectObservable(
        joinRuns(run$, () => fetch$, scheduler),
        until,
      ).toBe(expected, events)
      expectSubscriptions(run$.subscriptions).toBe(until)
    }))

  it('does not repeat ticks that the snapshot contains', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const run$ = hot('  -s-a-----b', runs)
      const fetch$ = cold('----(6|)', { 6: upTo(6) })
      const expected = '  -----(6z)b'
      expectObservable(joinRuns(run$, () => fetch$, scheduler)).toBe(expected, events)
    }))

  it('fetches again if ticks are missing between the snapshot and the first queued one', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const run$ = hot('   -s-a', runs)
      const fetches = [cold('----(4|)', { 4: upTo(4) }), cold('(7|)', { 7: upTo(7) })]
      const expected = '   505ms 7'
      expectObservable(joinRuns(run$, () => fetches.shift()!, scheduler)).toBe(expected, events)
    }))

  it('fetches again if the first live tick does not follow the snapshot', () =>
    marblesWith(({ hot, cold, expectObservable, flush }, scheduler) => {
      const run$ = hot('     -s-------b----c', runs)
      const fetches = [cold('-(5|)', { 5: upTo(5) }), cold('-(7|)', { 7: upTo(7) })]
      const expected = '     --5-------(7b)c'
      const after: (number | undefined)[] = []
      const fetch = (lastSeq: number | undefined) => {
        after.push(lastSeq)
        return fetches.shift()!
      }
      expectObservable(joinRuns(run$, fetch, scheduler)).toBe(expected, events)
      flush()
      expect(after).toEqual([undefined, 5])
    }))

  it('continues after missing ticks if they are lost for good', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const run$ = hot('  -s-b-----c', runs)
      const fetch$ = cold('----(5|)', { 5: upTo(5, true) })
      const expected = '  -----(5b)c'
      expectObservable(joinRuns(run$, () => fetch$, scheduler)).toBe(expected, events)
    }))

  it('starts over when the ticks restart, and drops the request in flight', () =>
    marblesWith(({ hot, cold, expectObservable, expectSubscriptions }, scheduler) => {
      const run$ = hot('   -s-a-t-----------b', { ...runs, t: runOfPrices(8) })
      const fetch$ = cold('------7|', { 7: upTo(7) })
      const expected = '   -----------7-----b'
      expectObservable(joinRuns(run$, () => fetch$, scheduler)).toBe(expected, events)
      expectSubscriptions(fetch$.subscriptions).toBe(['-^---!', '-----^------!'])
    }))

  it('emits a failed fetch, and retries it if the failure is transient', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const run$ = hot('  -s---a', runs)
      const lost$ = cold<Snapshot<number>>('--#', {}, offline)
      const found$ = cold('(5|)', { 5: upTo(5) })
      const rejected$ = cold<Snapshot<number>>('#', {}, rejected)
      const failing = [lost$, found$]
      expectObservable(joinRuns(run$, () => failing.shift()!, scheduler)).toBe('---o 499ms (5a)', events)
      expectObservable(joinRuns(run$, () => rejected$, scheduler)).toBe('-r', events)
    }))

  it('drops the queue if it grows too long, and fetches a newer snapshot', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const long = runOfPrices(6, ...Array.from({ length: 20_001 }, () => 1))
      const next = runOfPrices(20_007, 2)
      const run$ = hot('     -s-l------------n', { s: runs.s, l: long, n: next })
      const fetches = [cold('----(5|)', { 5: upTo(5) }), cold('(9|)', { 9: upTo(20_007) })]
      const expected = '     505ms 9'
      const nine: JoinEvent<number> = { kind: 'snapshot', value: 20_007 }
      expectObservable(joinRuns(run$, () => fetches.shift()!, scheduler)).toBe(expected, { 9: nine })
    }))
})
