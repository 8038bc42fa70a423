import { BehaviorSubject, Subject, of, VirtualTimeScheduler, delay, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createClock, slewOffset } from '../../../streams/wire/clock.ts'
import { fc } from '../../support/fastCheck.ts'

type Line = { out: number; back: number }
type ClockCase = { venueAhead: number; lines: Line[]; drift?: number }

/** A venue whose clock is `venueAhead` of the device's monotonic one, over lines with a delay in each direction. */
function setupClock({ venueAhead, lines, drift = 0 }: ClockCase) {
  const scheduler = new VirtualTimeScheduler()
  scheduler.maxFrames = Number.POSITIVE_INFINITY
  const skew = { ahead: venueAhead, rate: 1 + drift }
  const venue = (): number => Math.floor(scheduler.now() * skew.rate + skew.ahead)
  const up = new BehaviorSubject(true)
  const resume = new Subject<void>()
  const hello = new Subject<number>()
  let n = 0
  const probe = (t0: number) => {
    const line = lines[n++ % lines.length]!
    return of(0).pipe(
      delay(line.out, scheduler),
      map(() => venue()),
      delay(line.back, scheduler),
      map((t1) => ({ t0, t1, t2: t1 })),
    )
  }
  const clock = createClock({
    probe,
    up$: up,
    resume$: resume,
    hello$: hello,
    monotonic: () => scheduler.now(),
    scheduler,
  })
  const runTo = (instant: number): void => {
    scheduler.maxFrames = instant
    scheduler.flush()
    scheduler.frame = instant
  }
  return { clock, scheduler, venue, skew, resume, up, hello, runTo, probes: () => n }
}

describe('the venue clock', () => {
  it('is 0 before the first message, then set by hello, then by probes', () => {
    const { clock, hello, venue, runTo } = setupClock({ venueAhead: 1e12, lines: [{ out: 30, back: 30 }] })
    expect([clock.now(), clock.synced]).toEqual([0, false])
    hello.next(venue() - 40)
    expect([clock.now(), clock.synced]).toEqual([venue() - 40, false])
    runTo(2000)
    expect(clock.synced).toBe(true)
    expect(Math.abs(clock.now() - venue())).toBeLessThanOrEqual(1)
  })

  it('is accurate to half the asymmetry of the fastest probe', () => {
    const line = fc.record({ out: fc.integer({ min: 1, max: 900 }), back: fc.integer({ min: 1, max: 900 }) })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 5, maxLength: 5 }),
        fc.integer({ min: 0, max: 2e12 }),
        (lines, venueAhead) => {
          const { clock, venue, runTo } = setupClock({ venueAhead, lines })
          runTo(15_000)
          const fastest = lines.reduce((a, b) => (b.out + b.back < a.out + a.back ? b : a))
          const bound = Math.max(
            ...lines
              .filter(({ out, back }) => out + back === fastest.out + fastest.back)
              .map(({ out, back }) => Math.abs(out - back) / 2),
          )
          expect(Math.abs(clock.now() - venue())).toBeLessThanOrEqual(bound + 1.5)
        },
      ),
    )
  })

  it('never runs backwards, and only steps forward after a suspend', () => {
    const line = fc.record({ out: fc.integer({ min: 1, max: 400 }), back: fc.integer({ min: 1, max: 400 }) })
    const shifts = fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), shifts, (lines, offsets) => {
        const { clock, skew, resume, runTo } = setupClock({ venueAhead: 1e12, lines })
        runTo(10_000)
        let before = clock.now()
        let at = 10_000
        for (const offset of offsets) {
          skew.ahead += offset
          resume.next()
          for (let i = 0; i < 50; i++) {
            at += 100
            runTo(at)
            const now = clock.now()
            expect(now).toBeGreaterThanOrEqual(before)
            if (Math.abs(offset) < 500) expect(now - before).toBeLessThanOrEqual(1000)
            before = now
          }
        }
      }),
      { numRuns: 50 },
    )
  })

  it('is stepped at once after a suspend that the monotonic clock did not count', () => {
    const { clock, skew, venue, resume, runTo } = setupClock({
      venueAhead: 1e12,
      lines: [{ out: 20, back: 20 }],
    })
    runTo(5000)
    skew.ahead += 3_600_000
    resume.next()
    runTo(5200)
    expect(Math.abs(clock.now() - venue())).toBeLessThanOrEqual(1)
  })

  it('follows a drifting device with one round a minute, and sends no probes while the wire is down', () => {
    const { clock, venue, runTo, up, probes } = setupClock({
      venueAhead: 1e12,
      lines: [{ out: 20, back: 20 }],
      drift: 5e-5,
    })
    runTo(3_600_000)
    expect(Math.abs(clock.now() - venue())).toBeLessThanOrEqual(5)
    up.next(false)
    const probesBefore = probes()
    runTo(7_200_000)
    expect(probes()).toBe(probesBefore)
  })

  it('does not read the wall clock of the device', () => {
    const real = Date.now
    try {
      const { clock, venue, runTo } = setupClock({ venueAhead: 1e12, lines: [{ out: 20, back: 20 }] })
      runTo(2000)
      for (const wrong of [-600_000, 600_000, 86_400_000, -86_400_000]) {
        Date.now = () => real() + wrong
        expect(Math.abs(clock.now() - venue())).toBeLessThanOrEqual(1)
      }
    } finally {
      Date.now = real
    }
  })

  it("ticks on the venue's whole seconds", () => {
    const { clock, venue, runTo } = setupClock({ venueAhead: 1e12 + 345, lines: [{ out: 20, back: 20 }] })
    const seconds: number[] = []
    clock.second$.subscribe(() => seconds.push(venue() % 1000))
    runTo(10_000)
    expect(seconds.length).toBeGreaterThanOrEqual(8)
    expect(seconds.every((ms) => ms <= 2)).toBe(true)
  })

  it('leaves nothing running when stopped', () => {
    const { clock, scheduler, runTo } = setupClock({ venueAhead: 1, lines: [{ out: 20, back: 20 }] })
    clock.second$.subscribe()
    runTo(5000)
    clock.stop()
    expect(scheduler.actions.filter((action) => !action.closed)).toHaveLength(1)
  })
})

describe('slewOffset', () => {
  it.each([
    [0, 100, 100, 25],
    [0, 100, 1000, 100],
    [100, 0, 100, 50],
    [100, 0, 1000, 0],
    [7, 7, 50, 7],
  ])('from %d toward %d in %d ms reaches %d', (applied, target, elapsed, reached) => {
    expect(slewOffset(applied, target, elapsed)).toBe(reached)
  })
})
