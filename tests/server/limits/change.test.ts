import { expect, it } from 'vitest'
import fc from 'fast-check'
import { looserAfterMs } from '../../../contract/limits.ts'
import { changed, limitAt, noLimit } from '../../../server/limits/change.ts'
import type { Limit } from '../../../server/limits/change.ts'

const at = (value: number | null, next: Limit['next'] = null): Limit => ({ value, next })
const now = 1_000_000
const later = now + looserAfterMs

it.each<[string, 'maxStake' | 'excludedUntil', Limit, number | null, Limit]>([
  ['a first limit holds at once', 'maxStake', noLimit, 500, at(500)],
  ['none stays none', 'maxStake', noLimit, null, noLimit],
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
  ['a first exclusion holds at once', 'excludedUntil', noLimit, now + 10, at(now + 10)],
  ['a longer one too', 'excludedUntil', at(now + 10), now + 20, at(now + 20)],
  ['a shorter one waits', 'excludedUntil', at(later * 2), later, at(later * 2, { value: later, at: later })],
  ['one in the past is none', 'excludedUntil', noLimit, now, noLimit],
  ['one that is over bars nothing', 'excludedUntil', at(now), null, noLimit],
])('%s', (_, field, before, wanted, after) => {
  expect(changed(field, before, wanted, now)).toEqual(after)
})

it('whatever is asked, nothing gets looser within 24 hours', () => {
  const value = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null })
  const step = fc.record({ wanted: value, waitMs: fc.integer({ min: 0, max: looserAfterMs * 2 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let limit = noLimit
      let time = now
      const asked: { at: number; value: number }[] = []
      for (const { wanted, waitMs } of steps) {
        limit = changed('maxStake', limit, wanted, time)
        asked.push({ at: time, value: wanted ?? Infinity })
        time += waitMs
        const inForce = limitAt('maxStake', limit, time).value ?? Infinity
        // A value in force was asked for a day ago, or is the tightest of what was asked for since.
        const recent = asked.filter((one) => one.at > time - looserAfterMs).map((one) => one.value)
        expect(inForce).toBeLessThanOrEqual(Math.min(...recent, Infinity))
      }
    }),
  )
})
