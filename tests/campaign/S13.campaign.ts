import { openMemoryDatabase } from '../../server/db/open.ts'
import { deskKey, openDeskHouse } from '../support/deskHouse.ts'
import { fuzzEvents } from '../support/safety/fuzzEvents.ts'
import { scriptStrings, sqlStrings } from '../support/safety/attacks.ts'
import { fuzzCalls } from '../support/safety/fuzzCalls.ts'
import { plant } from '../support/safety/plant.ts'
import { plantCounted } from '../support/safety/plantCounted.ts'
import { showPlanted } from '../support/safety/showing.ts'
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import type { Campaign, Row } from './row.ts'

const requestsTried = 10_000
const eventsTried = 10_000
const hostile = [...sqlStrings, ...scriptStrings]
/** So many texts are one member's: a page of a list shows them all. */
const textsOfOne = 10

/** No input breaks it: requests and socket events made from the schemas, and hostile texts in every field. */
export async function run({ seed, say }: Campaign): Promise<Row[]> {
  return [await requests(seed, say), await events(seed, say), await texts(say), await pages(say)]
}

async function requests(seed: number, say: Campaign['say']): Promise<Row> {
  const database = await openMemoryDatabase()
  const house = await openDeskHouse(database)
  try {
    const { sent, faults, steered, statuses, neverDone } = await fuzzCalls(house, requestsTried, seed)
    for (const fault of [...faults, ...steered]) say(fault)
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
    const note = `${counts.join(', ')}; never carried out: ${neverDone.join(', ') || 'none'}`
    say(note)
    return {
      id: 'S13a',
      what: 'requests fuzzed from the schemas',
      tried: sent,
      broken: faults.length + steered.length,
      note,
    }
  } finally {
    await house.close()
    await database.close()
  }
}

async function events(seed: number, say: Campaign['say']): Promise<Row> {
  const database = await openMemoryDatabase()
  const house = await openDeskHouse(database)
  try {
    const { sent, answered, heard, faults } = await fuzzEvents(house, eventsTried, seed)
    for (const fault of faults) say(fault)
    const note = `${answered} answered, ${heard} events of the venue`
    return {
      id: 'S13b',
      what: 'socket events fuzzed from the schemas',
      tried: sent,
      broken: faults.length,
      note,
    }
  } finally {
    await house.close()
    await database.close()
  }
}

const batches = Array.from({ length: Math.ceil(hostile.length / textsOfOne) }, (_, i) =>
  hostile.slice(i * textsOfOne, (i + 1) * textsOfOne),
)
const accountOf = (i: number): string => `planted_${String(i).padStart(2, '0')}`
const phoneOf = (i: number): string => `137000001${String(i).padStart(2, '0')}`

/** Every field of every call, with the tables counted. */
async function texts(say: Campaign['say']): Promise<Row> {
  const database = await openMemoryDatabase()
  const house = await openDeskHouse(database)
  const faults: string[] = []
  let calls = 0
  try {
    const venue = { url: `http://127.0.0.1:${house.port}`, deskKey }
    for (const [i, batch] of batches.entries()) {
      const planted = await plantCounted(database, venue, accountOf(i), phoneOf(i), batch)
      calls += planted.calls
      faults.push(...planted.faults)
    }
  } finally {
    await house.close()
    await database.close()
  }
  for (const fault of faults) say(fault)
  const note = `${hostile.length} texts`
  return {
    id: 'S13c',
    what: 'hostile texts in every field, tables counted',
    tried: calls,
    broken: faults.length,
    note,
  }
}

/** The same texts on every page of the built app, in a browser. */
async function pages(say: Campaign['say']): Promise<Row> {
  const venue = await openBuiltVenue()
  const browser = await launchBrowser()
  const faults: string[] = []
  let [shown, literal] = [0, 0]
  try {
    for (const [i, batch] of batches.entries()) {
      const planted = await plant(venue, accountOf(i), phoneOf(i), batch)
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
      const report = await showPlanted(context, venue, planted, batch)
      await context.close()
      shown += report.pages
      literal += report.literal
      faults.push(...planted.faults, ...report.faults)
      say(`${(i + 1) * textsOfOne} texts shown`)
    }
  } finally {
    await browser.close()
    await venue.close()
  }
  for (const fault of faults) say(fault)
  const note = `${literal} found as they were typed`
  return { id: 'S13d', what: 'pages shown with hostile texts', tried: shown, broken: faults.length, note }
}
