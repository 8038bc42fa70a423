import { expect, it } from 'vitest'
import fc from 'fast-check'
import { looseningDelayMs } from '../../../contract/selfLimits.ts'
import { changeLimit, effectiveLimit, noSelfLimit } from '../../../server/selfLimits/change.ts'
import type { SelfLimit } from '../../../server/selfLimits/change.ts'

const at = (value: number | null, next: SelfLimit['next'] = null): SelfLimit => ({ value, next })
const now = 1_000_000
const later = now + looseningDelayMs

it.each<[string, 'maxStake' | 'excludedUntil', SelfLimit, number | null, SelfLimit]>([
  ['a first limit holds at once', 'maxStake', noSelfLimit, 500, at(500)],
  ['none stays none', 'maxStake', noSelfLimit, null, noSelfLimit],
  ['tighter at once', 'maxStake', at(500), 400, at(400)],
  ['zero is the tightest', 'maxStake', at(500), 0, at(0)],
  ['looser waits', 'maxStake', at(500), 600, at(500, { value: 600, at: later })],
  ['none is the loosest', 'maxStake', at(500), null, at(500, { value: null, at: later })],
  ['the same takes back what waited', 'maxStake', at(500, { value: 600, at: now + 5 }), 500, at(500)],
  ['tighter takes back what waited', 'maxStake', at(500, { value: null, at: now + 5 }), 1, at(1)],
  [
    'asking again does not start anew',
    'maxStake',
    at(500, { value: 600, at: now + 5 }),
    600,
    at(500, { value: 600, at: now + 5 }),
  ],
  [
    'another looser value does',
    'maxStake',
    at(500, { value: 600, at: now + 5 }),
    550,
    at(500, { value: 550, at: later }),
  ],
  ['what fell due counts', 'maxStake', at(500, { value: 600, at: now }), 550, at(550)],
  ['what fell due and was none', 'maxStake', at(500, { value: null, at: now }), 900, at(900)],
  ['a first exclusion holds at once', 'excludedUntil', noSelfLimit, now + 10, at(now + 10)],
  ['a longer one too', 'excludedUntil', at(now + 10), now + 20, at(now + 20)],
  ['a shorter one waits', 'excludedUntil', at(later * 2), later, at(later * 2, { value: later, at: later })],
  ['one in the past is none', 'excludedUntil', noSelfLimit, now, noSelfLimit],
  ['one that is over bars nothing', 'excludedUntil', at(now), null, noSelfLimit],
])('%s', (_, field, before, wanted, after) => {
  expect(changeLimit(field, before, wanted, now)).toEqual(after)
})

it('whatever is asked, nothing gets looser within 24 hours', () => {
  const value = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null })
  const step = fc.record({ wanted: value, waitMs: fc.integer({ min: 0, max: looseningDelayMs * 2 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let limit = noSelfLimit
      let time = now
      const asked: { at: number; value: number }[] = []
      for (const { wanted, waitMs } of steps) {
        limit = changeLimit('maxStake', limit, wanted, time)
        asked.push({ at: time, value: wanted ?? Infinity })
        time += waitMs
        const inForce = effectiveLimit('maxStake', limit, time).value ?? Infinity
        // A value in force was asked for a day ago, or is the tightest of what was asked for since.
        const recent = asked.filter((one) => one.at > time - looseningDelayMs).map((one) => one.value)
        expect(inForce).toBeLessThanOrEqual(Math.min(...recent, Infinity))
      }
    }),
  )
})
