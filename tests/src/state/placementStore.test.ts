// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { createPlacementStore } from '../../../src/state/placementStore.ts'

const intent = (key: string) => ({
  key,
  productId: 'EURUSD',
  direction: 'up' as const,
  amount: '100.00',
  seconds: 60,
  rateBp: 8500,
  validUntil: 1,
})
beforeEach(() => localStorage.clear())

it('stores an order in flight for its own member only', () => {
  let member: string | undefined = 'anna'
  const store = createPlacementStore(() => member)
  store.save(intent('k1'))
  store.save(intent('k1'))
  store.save(intent('k2'))
  expect(store.load().map(({ key }) => key)).toEqual(['k1', 'k2'])
  member = 'ben'
  expect(store.load()).toEqual([])
  member = undefined
  store.save(intent('k3'))
  member = 'anna'
  store.drop('k1')
  expect(store.load()).toEqual([intent('k2')])
})

it('stores it for the member who was shown its terms, also if another one has logged in', () => {
  let member = 'ben'
  const store = createPlacementStore(() => member)
  store.save({ ...intent('k1'), openedFor: 'anna' })
  expect(store.load()).toEqual([])
  member = 'anna'
  expect(store.load()).toEqual([intent('k1')])
})

it('drops invalid entries', () => {
  localStorage.setItem('intents', JSON.stringify([{ memberId: 'anna', intent: { key: 'x' } }, 7]))
  expect(createPlacementStore(() => 'anna').load()).toEqual([])
})
