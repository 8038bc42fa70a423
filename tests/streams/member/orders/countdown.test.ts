import { NEVER, of } from 'rxjs'
import { describe, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Countdown } from '../../../../streams/index.ts'
import { countdown$ } from '../../../../streams/member/orders/countdown.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const order = sampleOrder({ acceptedAt: epochMs(10_000), closeAt: epochMs(13_000) })
const left = (remainingMs: number): Countdown => ({ phase: 'running', remainingMs, totalMs: 3000 })
const settling: Countdown = { phase: 'settling', remainingMs: 0, totalMs: 3000 }
const synced$ = of<true>(true)

describe('countdown$', () => {
  it("emits each whole second left by the venue's clock, then settling", () =>
    marblesWith(({ expectObservable }, scheduler) => {
      const clock = { now: () => 10_400 + scheduler.now(), synced$ }
      const expected = '        a 599ms b  999ms c  999ms (s|)'
      const values = { a: left(2600), b: left(2000), c: left(1000), s: settling }
      expectObservable(countdown$(order, { clock, resume$: NEVER, scheduler })).toBe(expected, values)
    }))

  it('never counts up if the clock is set back', () =>
    marblesWith(({ expectObservable }, scheduler) => {
      const clock = { now: () => 10_500 + scheduler.now() - (scheduler.now() > 700 ? 600 : 0), synced$ }
      const expected = '        a 499ms b 999ms x 599ms c 999ms (s|)'
      const values = { a: left(2500), b: left(2000), x: left(1600), c: left(1000), s: settling }
      expectObservable(countdown$(order, { clock, resume$: NEVER, scheduler })).toBe(expected, values)
    }))

  it('is correct at once after a suspend', () =>
    marblesWith(({ hot, expectObservable }, scheduler) => {
      let suspendedMs = 0
      const resume$ = hot('       ----------r')
      resume$.subscribe(() => (suspendedMs = 1500))
      const clock = { now: () => 10_000 + scheduler.now() + suspendedMs, synced$ }
      const expected = '        a---------b 489ms c 999ms (s|)'
      const values = { a: left(3000), b: left(1490), c: left(1000), s: settling }
      expectObservable(countdown$(order, { clock, resume$: resume$, scheduler })).toBe(expected, values)
    }))

  it('never shows more than the whole time, and waits for the venue time', () =>
    marblesWith(({ cold, expectObservable }, scheduler) => {
      const clock = { now: () => 9000 + scheduler.now(), synced$: cold<true>('-----(s|)') }
      const expected = '        -----a'
      expectObservable(countdown$(order, { clock, resume$: NEVER, scheduler }), '^------!').toBe(expected, {
        a: left(3000),
      })
    }))

  it('is done for an ended order, and settling after its close', () =>
    marblesWith(({ expectObservable }, scheduler) => {
      const parts = { clock: { now: () => 99_000, synced$ }, resume$: NEVER, scheduler }
      const done = { phase: 'done', remainingMs: 0, totalMs: 3000 }
      expectObservable(countdown$({ ...order, status: 'tied' }, parts)).toBe('(d|)', { d: done })
      expectObservable(countdown$(order, parts)).toBe('(s|)', { s: settling })
    }))
})
