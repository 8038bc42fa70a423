import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { openDeskHouse } from '../../support/deskHouse.ts'
import type { DeskHouse } from '../../support/deskHouse.ts'
import { createPool } from '../../support/safety/fuzzPool.ts'
import { prepareMember } from '../../support/safety/fuzzMember.ts'
import { rateChange } from '../../support/safety/rateChange.ts'
import { forgeRows, samePrices } from '../../support/safety/steering.ts'

let database: Database
let house: DeskHouse
beforeAll(async () => {
  database = await openMemoryDatabase()
  house = await openDeskHouse(database)
})
afterAll(async () => {
  await house.close()
  await database.close()
})

it('no statement writes a price, a result, a rate, a balance or the record of an act', async () => {
  await prepareMember(house, createPool(house.clock), 1)
  const { faults, tried } = await forgeRows(database)
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(100)
}, 300_000)

it('sockets of every level, and of nobody, hear the same prices', async () => {
  const { faults, tried } = await samePrices(house, 12, 5)
  expect(faults).toEqual([])
  expect(tried).toBe(12)
}, 300_000)

it('an order keeps the rate it was accepted at, whatever the product pays afterwards', async () => {
  const { faults, tried } = await rateChange(2)
  expect(faults).toEqual([])
  expect(tried).toBe(2)
}, 300_000)
