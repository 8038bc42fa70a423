import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { openDeskHouse } from '../../support/deskHouse.ts'
import type { DeskHouse } from '../../support/deskHouse.ts'
import { guessing, logOut, loginTiming, weakHashes } from '../../support/safety/doors.ts'
import { othersThings } from '../../support/safety/strangers.ts'

let database: Database
let house: DeskHouse
beforeAll(async () => {
  database = await openMemoryDatabase()
  house = await openDeskHouse(database, { trustProxy: 1 })
})
afterAll(async () => {
  await house.close()
  await database.close()
})

it('a thing of another member is not found, with any verb, by any call that names one', async () => {
  const { faults, tried } = await othersThings(house)
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(60)
}, 300_000)

it('log-out ends the session for calls and sockets', async () => {
  expect((await logOut(house)).faults).toEqual([])
}, 300_000)

it('a failed login says the same whether the account exists or not', async () => {
  expect((await loginTiming(house, 3)).faults).toEqual([])
}, 300_000)

it('passwords are kept as Argon2id at the minimum or better', async () => {
  const { faults, tried } = await weakHashes(house)
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(1)
})

it('guessing ends soon: by address, by account, by code, by password and by key', async () => {
  const own = await openMemoryDatabase()
  const limited = await openDeskHouse(own, { trustProxy: 1, rateLimits: true })
  try {
    expect((await guessing(limited)).faults).toEqual([])
  } finally {
    await limited.close()
    await own.close()
  }
}, 300_000)
