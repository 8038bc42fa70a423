import { expect, it } from 'vitest'
import { looseningDelayMs } from '../../../../contract/selfLimits.ts'
import {
  changeLimit,
  effectiveLimit,
  noSelfLimit,
  type SelfLimit,
} from '../../../../server/money/selfLimits/change.ts'
import { fc } from '../../../support/fastCheck.ts'

const limitOf = (value: number | null, next: SelfLimit['next'] = null): SelfLimit => ({ value, next })
const now = 1_000_000
const later = now + looseningDelayMs

it.each<[string, 'maxStake' | 'excludedUntil', SelfLimit, number | null, SelfLimit]>([
  ['a first limit takes effect at once', 'maxStake', noSelfLimit, 500, limitOf(500)],
  ['none stays none', 'maxStake', noSelfLimit, null, noSelfLimit],
  ['tighter takes effect at once', 'maxStake', limitOf(500), 400, limitOf(400)],
  ['zero is the tightest', 'maxStake', limitOf(500), 0, limitOf(0)],
  ['a looser limit is delayed', 'maxStake', limitOf(500), 600, limitOf(500, { value: 600, at: later })],
  ['none is the loosest', 'maxStake', limitOf(500), null, limitOf(500, { value: null, at: later })],
  [
    'the current value cancels a pending one',
    'maxStake',
    limitOf(500, { value: 600, at: now + 5 }),
    500,
    limitOf(500),
  ],
  [
    'a tighter limit cancels a pending one',
    'maxStake',
    limitOf(500, { value: null, at: now + 5 }),
    1,
    limitOf(1),
  ],
  [
    'the pending value again does not restart the delay',
    'maxStake',
    limitOf(500, { value: 600, at: now + 5 }),
    600,
    limitOf(500, { value: 600, at: now + 5 }),
  ],
  [
    'another looser value restarts the delay',
    'maxStake',
    limitOf(500, { value: 600, at: now + 5 }),
    550,
    limitOf(500, { value: 550, at: later }),
  ],
  ['a due change is in force', 'maxStake', limitOf(500, { value: 600, at: now }), 550, limitOf(550)],
  ['a due removal is in force', 'maxStake', limitOf(500, { value: null, at: now }), 900, limitOf(900)],
  ['a first exclusion takes effect at once', 'excludedUntil', noSelfLimit, now + 10, limitOf(now + 10)],
  [
    'a longer exclusion takes effect at once',
    'excludedUntil',
    limitOf(now + 10),
    now + 20,
    limitOf(now + 20),
  ],
  [
    'a shorter exclusion is delayed',
    'excludedUntil',
    limitOf(later * 2),
    later,
    limitOf(later * 2, { value: later, at: later }),
  ],
  ['an exclusion in the past is none', 'excludedUntil', noSelfLimit, now, noSelfLimit],
  ['an exclusion that has ended is none', 'excludedUntil', limitOf(now), null, noSelfLimit],
])('%s', (_, field, before, requested, after) => {
  expect(changeLimit(field, before, requested, now)).toEqual(after)
})

it('no sequence of changes loosens a limit within 24 hours', () => {
  const value = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null })
  const step = fc.record({ requested: value, waitMs: fc.integer({ min: 0, max: looseningDelayMs * 2 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let limit = noSelfLimit
      let time = now
      const requests: { at: number; value: number }[] = []
      for (const { requested, waitMs } of steps) {
        limit = changeLimit('maxStake', limit, requested, time)
        requests.push({ at: time, value: requested ?? Infinity })
        time += waitMs
        const inForce = effectiveLimit('maxStake', limit, time).value ?? Infinity
        // A value in force was requested a day ago, or is the tightest requested since.
        const recent = requests.filter(({ at }) => at > time - looseningDelayMs).map(({ value }) => value)
        expect(inForce).toBeLessThanOrEqual(Math.min(...recent, Infinity))
      }
    }),
  )
})
