import { EMPTY, Subject, Subscription, type SchedulerLike } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { loadable$, mapLoadable, nextLoadable } from '../../../streams/operators/loadable.ts'
import { markStale } from '../../../streams/operators/markStale.ts'
import { perAnimationFrame } from '../../../streams/operators/perAnimationFrame.ts'
import { shareWithGrace } from '../../../streams/operators/shareWithGrace.ts'
import { snapshotThen } from '../../../streams/operators/snapshotThen.ts'
import { emitIfLate } from '../../../streams/operators/emitIfLate.ts'
import { whileUp } from '../../../streams/operators/whileUp.ts'
import type { Failure, Loadable } from '../../../streams/index.ts'
import { marbles, marblesWith } from '../../support/marbles.ts'

const bool = { t: true, f: false }

describe('markStale', () => {
  it('emits false at the first value, true after the silence, false again at the next', () =>
    marblesWith(({ hot, expectObservable, expectSubscriptions }, scheduler) => {
      const source$ = hot('--s--s---------s--|')
      const subs = '       ^-----------------!'
      const expected = '   --f-------t----f----(t|)'
      expectObservable(source$.pipe(markStale(5, scheduler, 1))).toBe(expected, bool)
      expectSubscriptions(source$.subscriptions).toBe(subs)
    }))

  it('does not emit true if values arrive right after a timer that a blocked thread fired late', () => {
    const { scheduler, fire } = lateTimers()
    const source$ = new Subject<void>()
    const emitted: boolean[] = []
    source$.pipe(markStale(3000, scheduler)).subscribe((stale) => emitted.push(stale))
    source$.next()
    fire()
    source$.next()
    expect(emitted).toEqual([false])
    fire()
    fire()
    expect(emitted).toEqual([false, true])
  })
})

/** A scheduler whose timers fire when the test says so. */
function lateTimers(): { scheduler: SchedulerLike; fire: () => void } {
  let timers: { work: () => void; subscription: Subscription }[] = []
  const schedule = (work: () => void): Subscription => {
    const subscription = new Subscription()
    timers.push({ work, subscription })
    return subscription
  }
  return {
    scheduler: { now: () => 0, schedule } as SchedulerLike,
    fire: () => {
      const due = timers
      timers = []
      for (const { work, subscription } of due) if (!subscription.closed) work()
    },
  }
}

describe('whileUp', () => {
  it('subscribes while up, unsubscribes while down, and subscribes again', () =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const up$ = hot('    f-t------f---t--t---|', bool)
      const work$ = cold('   a--b--c--d--e')
      const expected = '   --a--b--c----a--b--c--d--'
      const until = '      ^------------------------!'
      const subs = ['      --^------!', '-------------^-----------!']
      expectObservable(up$.pipe(whileUp(work$)), until).toBe(expected)
      expectSubscriptions(work$.subscriptions).toBe(subs)
    }))
})

describe('perAnimationFrame', () => {
  it('emits the newest value once per frame, and requests no frame without a value', () =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('abc----d---e--|')
      const frame$ = hot(' ---f--f--f--f---')
      const expected = '   ---c-----d--e-|'
      const frames = ['    ^--!', '       -------^-!', '       -----------^!']
      expectObservable(source$.pipe(perAnimationFrame(frame$))).toBe(expected)
      expectSubscriptions(frame$.subscriptions).toBe(frames)
    }))
})

describe('emitIfLate', () => {
  it('emits the late value once, and still emits later values', () =>
    marblesWith(({ cold, expectObservable, expectSubscriptions }, scheduler) => {
      const source$ = cold('------a-b|')
      const expected = '    ---L--a-b|'
      expectObservable(source$.pipe(emitIfLate(3, () => 'L', scheduler))).toBe(expected)
      expectSubscriptions(source$.subscriptions).toBe('^--------!')
    }))

  it('does not emit the late value if the first value is in time', () =>
    marblesWith(({ cold, expectObservable }, scheduler) => {
      const source$ = cold('-a------b|')
      expectObservable(source$.pipe(emitIfLate(3, () => 'L', scheduler))).toBe('-a------b|')
    }))
})

describe('snapshotThen', () => {
  const fold = (sum: string, delta: string): string => sum + delta

  it('folds deltas that arrive before the snapshot, then later ones', () =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const deltas$ = hot('  -a-b----c--d-')
      const snapshot$ = cold('-----(S|)')
      const expected = '      -----x--y--z-'
      const values = { x: 'Sab', y: 'Sabc', z: 'Sabcd' }
      expectObservable(snapshotThen(() => snapshot$, deltas$, fold)).toBe(expected, values)
      expectSubscriptions(deltas$.subscriptions).toBe('  ^')
      expectSubscriptions(snapshot$.subscriptions).toBe('^----!')
    }))

  it('fails with its snapshot and unsubscribes from the deltas', () =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const deltas$ = hot('  -a-b----c--d-')
      const snapshot$ = cold('-----#')
      expectObservable(snapshotThen(() => snapshot$, deltas$, fold)).toBe('-----#')
      expectSubscriptions(deltas$.subscriptions).toBe('^----!')
    }))
})

describe('shareWithGrace', () => {
  it('keeps one upstream through a short absence and replays the newest value to a late subscriber', () =>
    marblesWith(({ hot, expectObservable, expectSubscriptions }, scheduler) => {
      const source$ = hot('   a--b--c--d--e--f--g')
      const shared$ = source$.pipe(shareWithGrace(4, scheduler))
      const first = '         ^---!'
      const second = '        -----^----!'
      expectObservable(shared$, first).toBe(' a--b-')
      expectObservable(shared$, second).toBe('-----bc--d')
      expectSubscriptions(source$.subscriptions).toBe('^-------------!')
    }))

  it('has the newest value without a subscription, until it is released', () =>
    marblesWith(({ hot }, scheduler) => {
      const shared$ = shareWithGrace<string>(4, scheduler)(hot('a--b---------c'))
      const seen: unknown[] = []
      const first = shared$.subscribe()
      for (const at of [1, 4, 7, 12]) scheduler.schedule(() => seen.push(shared$.newest()), at)
      scheduler.schedule(() => first.unsubscribe(), 6)
      scheduler.schedule(() => expect(seen).toEqual(['a', 'b', 'b', undefined]), 14)
    }))
})

describe('loadable$', () => {
  const offline: Failure = { kind: 'offline' }
  const rejected: Failure = {
    kind: 'rejected',
    status: 404,
    code: 'NOT_FOUND',
    params: {},
    fields: {},
    at: 0,
  }
  const states: Record<string, Loadable<string>> = {
    l: { state: 'loading' },
    a: { state: 'ready', value: 'a', fresh: true },
    o: { state: 'ready', value: 'a', fresh: false },
    b: { state: 'ready', value: 'b', fresh: true },
    x: { state: 'failed', failure: offline },
  }

  it('keeps its value through a reconnect, marked as not fresh', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const reload$ = hot('^a----b------')
      const down$ = hot('  ^---d--------')
      const answers = [cold('-(a|)'), cold('---(b|)')]
      const expected = '   l-a-o----b---'
      const shown$ = loadable$(reload$, () => answers.shift() ?? cold<string>(''), down$, scheduler)
      expectObservable(shown$).toBe(expected, states)
    }))

  it('emits a transient failure and retries after a second; a rejection stays', () =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const reload$ = hot('^a 2000ms        b')
      const answers = [cold('-#', {}, offline), cold('-(a|)'), cold('-#', {}, rejected)]
      const expected = '   l-x 1000ms a 999ms r'
      const values = { ...states, r: { state: 'failed', failure: rejected, value: 'a' } }
      const shown$ = loadable$(reload$, () => answers.shift() ?? cold<string>(''), EMPTY, scheduler)
      expectObservable(shown$).toBe(expected, values)
    }))

  it('reduces each step', () => {
    const ready: Loadable<number> = { state: 'ready', value: 1, fresh: true }
    expect(nextLoadable(ready, 'outdated')).toEqual({ ...ready, fresh: false })
    expect(nextLoadable<number>({ state: 'loading' }, 'outdated')).toEqual({ state: 'loading' })
    expect(nextLoadable(ready, { value: 2 })).toEqual({ ...ready, value: 2 })
    expect(nextLoadable(ready, { failure: offline })).toEqual({ state: 'failed', failure: offline, value: 1 })
    expect(nextLoadable<number>({ state: 'loading' }, { failure: offline })).toEqual({
      state: 'failed',
      failure: offline,
    })
  })

  it('maps its value', () =>
    marbles(({ cold, expectObservable }) => {
      const source$ = cold<Loadable<number>>('lrf', {
        l: { state: 'loading' },
        r: { state: 'ready', value: 2, fresh: true },
        f: { state: 'failed', failure: offline },
      })
      expectObservable(source$.pipe(mapLoadable((n) => n * 2))).toBe('lrf', {
        l: { state: 'loading' },
        r: { state: 'ready', value: 4, fresh: true },
        f: { state: 'failed', failure: offline },
      })
    }))
})
