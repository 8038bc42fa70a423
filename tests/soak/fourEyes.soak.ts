import { raceFourEyes } from '../scenarios/fourEyesRaces.ts'
import { openScratchPostgres, postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { openTestVenue } from '../support/testVenue.ts'
import type { SoakRun, Row } from './row.ts'

const races = Number(process.env['RACES'] ?? 1000)

/** What takes two persons is decided by two, and once, whatever is sent at once. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null) return []
  const scratch = await openScratchPostgres('four eyes')
  try {
    const venue = await openTestVenue(scratch.database)
    const report = await raceFourEyes(venue, races)
    await venue.close()
    log(JSON.stringify(report))
    return [
      {
        id: 'fourEyes',
        what: 'withdrawals over the limit, decided by several calls at once: by two persons, once',
        tried: report.races,
        broken: report.decidedByOne + report.decidedTwice + report.undecided,
        note: `${report.decidedByOne} by one person, ${report.decidedTwice} twice, ${report.undecided} undecided`,
      },
    ]
  } finally {
    await scratch.drop()
  }
}
