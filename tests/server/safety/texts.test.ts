import { expect, it } from 'vitest'
import { scriptStrings, sqlStrings } from '../../scenarios/safety/attacks.ts'
import { injectCounted } from '../../scenarios/safety/injectCounted.ts'
import { deskKey } from '../../support/testVenue.ts'
import { withDatabase, withVenue } from '../../support/withVenue.ts'

it('there are 60 distinct SQL strings and 60 distinct script strings', () => {
  for (const texts of [sqlStrings, scriptStrings])
    expect([texts.length, new Set(texts).size]).toEqual([60, 60])
})

it('SQL in text fields is stored as text, changes no other rows and causes no internal error', async () => {
  const database = await withDatabase()
  const venue = await withVenue({ ticking: true, database })
  const texts = [sqlStrings[6], sqlStrings[14], sqlStrings[38], scriptStrings[0]].filter(
    (text) => text !== undefined,
  )
  const target = { url: (await venue.listen()).url, deskKey }
  const { violations, accepted, calls } = await injectCounted(
    database,
    target,
    'planted_0',
    '13700000001',
    texts,
  )
  expect(violations).toEqual([])
  expect(calls).toBeGreaterThan(150)
  expect(accepted.message).toEqual(texts)
  expect(accepted.service).toEqual(texts)
  expect(accepted.reason).toEqual(texts)
})
