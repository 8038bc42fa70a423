import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { deskKey, openDeskHouse } from '../../support/deskHouse.ts'
import { scriptStrings, sqlStrings } from '../../support/safety/attacks.ts'
import { plantCounted } from '../../support/safety/plantCounted.ts'

it('60 texts of SQL and 60 of scripts, each once', () => {
  for (const texts of [sqlStrings, scriptStrings])
    expect([texts.length, new Set(texts).size]).toEqual([60, 60])
})

it('SQL in every text field changes no table but by what was taken, and no answer is a fault', async () => {
  const database = await openMemoryDatabase()
  const house = await openDeskHouse(database)
  try {
    const texts = [sqlStrings[6], sqlStrings[14], sqlStrings[38], scriptStrings[0]].filter(
      (text) => text !== undefined,
    )
    const venue = { url: `http://127.0.0.1:${house.port}`, deskKey }
    const { faults, taken } = await plantCounted(database, venue, 'planted_0', '13700000001', texts)
    expect(faults).toEqual([])
    expect(taken.message).toEqual(texts)
    expect(taken.service).toEqual(texts)
    expect(taken.reason).toEqual(texts)
  } finally {
    await house.close()
    await database.close()
  }
}, 300_000)
