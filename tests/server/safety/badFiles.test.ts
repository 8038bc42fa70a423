import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { badFiles, sendBadFiles, sendCorrupted } from '../../support/safety/badFiles.ts'
import { openWalletVenue } from '../../support/walletVenue.ts'
import type { WalletVenue } from '../../support/walletVenue.ts'

let database: Database
let house: WalletVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  house = await openWalletVenue(database)
})
afterAll(async () => {
  await house.close()
  await database.close()
})

it.each(badFiles.map((file) => [file.name, file] as const))(
  '%s is refused without a trace, or written anew and private',
  async (_name, file) => {
    expect((await sendBadFiles(house, [file])).violations).toEqual([])
  },
)

it('damaged pictures are refused or written anew', async () => {
  expect((await sendCorrupted(house, 30, 14)).violations).toEqual([])
}, 300_000)
