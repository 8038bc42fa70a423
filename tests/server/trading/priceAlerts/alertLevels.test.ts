import { expect, it } from 'vitest'
import { AlertLevels, type AlertLevel } from '../../../../server/trading/priceAlerts/alertLevels.ts'
import { fc } from '../../../support/fastCheck.ts'

const level = (id: string, price: number, rises: boolean): AlertLevel => ({ id, price, rises })
const idsOf = (levels: readonly AlertLevel[]): string[] => levels.map(({ id }) => id)

it.each([
  { price: 100, reached: [] },
  { price: 109, reached: [] },
  { price: 110, reached: ['rise 110'] },
  { price: 130, reached: ['rise 110', 'rise 120'] },
  { price: 91, reached: [] },
  { price: 90, reached: ['fall 90'] },
  { price: 1, reached: ['fall 90', 'fall 80'] },
])('a price of $price reaches $reached', ({ price, reached }) => {
  const levels = new AlertLevels()
  levels.add([
    level('rise 120', 120, true),
    level('fall 80', 80, false),
    level('rise 110', 110, true),
    level('fall 90', 90, false),
  ])
  expect(idsOf(levels.takeReached(price))).toEqual(reached)
  expect(levels.size).toBe(4 - reached.length)
  expect(levels.takeReached(price)).toEqual([])
})

it('forgets what is removed, and adds nothing twice', () => {
  const levels = new AlertLevels()
  levels.add([level('a', 110, true), level('b', 110, true)])
  levels.add([level('a', 110, true)])
  levels.remove('b')
  levels.remove('unknown')
  expect(idsOf([...levels.values()])).toEqual(['a'])
  expect(idsOf(levels.takeReached(110))).toEqual(['a'])
})

type Step = { add: AlertLevel } | { remove: string } | { price: number }

it('takes exactly what a plain list of all levels would, whatever is added, removed and reached', () => {
  const price = fc.integer({ min: 1, max: 30 })
  const id = fc.integer({ min: 0, max: 12 }).map(String)
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ add: fc.record({ id, price, rises: fc.boolean() }) }),
    fc.record({ remove: id }),
    fc.record({ price }),
  )
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 20 }), { maxLength: 5 }), (runs) => {
      const levels = new AlertLevels()
      const plain = new Map<string, AlertLevel>()
      for (const each of runs.flat()) {
        if ('add' in each) {
          levels.add([each.add])
          if (!plain.has(each.add.id)) plain.set(each.add.id, each.add)
        } else if ('remove' in each) {
          levels.remove(each.remove)
          plain.delete(each.remove)
        } else {
          const isReached = (l: AlertLevel): boolean =>
            l.rises ? each.price >= l.price : each.price <= l.price
          const expected = [...plain.values()].filter(isReached)
          for (const l of expected) plain.delete(l.id)
          expect(idsOf(levels.takeReached(each.price)).toSorted()).toEqual(idsOf(expected).toSorted())
        }
        expect(idsOf([...levels.values()]).toSorted()).toEqual([...plain.keys()].toSorted())
      }
    }),
  )
})
