import { expect, it } from 'vitest'
import { badFiles, sendBadFiles, sendCorrupted } from '../../scenarios/safety/badFiles.ts'
import { testSeed } from '../../support/testSeed.ts'
import { withVenue } from '../../support/withVenue.ts'

const venue = await withVenue()

it.each(badFiles.map((file) => [file.name, file] as const))(
  '%s is rejected without leaving a file, or encoded again and encrypted',
  async (_name, file) => {
    expect(await sendBadFiles(venue, [file])).toMatchObject({ tried: 1, violations: [] })
  },
)

it('damaged pictures are rejected or encoded again', async () => {
  expect(await sendCorrupted(venue, 30, testSeed())).toMatchObject({ tried: 30, violations: [] })
})
