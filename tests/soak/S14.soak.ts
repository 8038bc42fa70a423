import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import { badFiles, sendBadFiles, sendCorrupted, type FileReport } from '../scenarios/safety/badFiles.ts'
import type { SoakRun, Row } from './row.ts'
import { openTestVenue } from '../support/testVenue.ts'

const damagedTried = 1000

/** Uploads are harmless and private. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const database = await openMemoryDatabase()
  const venue = await openTestVenue(database)
  const row = (id: string, what: string, { tried, violations, rejected, rewritten }: FileReport): Row => {
    for (const violation of violations) log(violation)
    return {
      id,
      what,
      tried,
      broken: violations.length,
      note: `${rejected} rejected, ${rewritten} rewritten`,
    }
  }
  try {
    return [
      row('S14a', 'malicious kinds of uploads', await sendBadFiles(venue, badFiles)),
      row('S14b', 'damaged pictures', await sendCorrupted(venue, damagedTried, seed)),
    ]
  } finally {
    await venue.close()
    await database.close()
  }
}
