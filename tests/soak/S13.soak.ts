import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import { fuzzEvents } from '../scenarios/safety/fuzzEvents.ts'
import { scriptStrings, sqlStrings } from '../scenarios/safety/attacks.ts'
import { fuzzCalls } from '../scenarios/safety/fuzzCalls.ts'
import { injectTexts } from '../scenarios/safety/injectTexts.ts'
import { injectCounted } from '../scenarios/safety/injectCounted.ts'
import { showInjected } from '../scenarios/safety/xss.ts'
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import type { SoakRun, Row } from './row.ts'
import { openTickingVenue } from '../support/tickingVenue.ts'
import { deskKey } from '../support/testVenue.ts'

const requestsTried = 10_000
const eventsTried = 10_000
const hostile = [...sqlStrings, ...scriptStrings]
/** Texts for each member: few enough that one page of a list shows them all. */
const textsOfOne = 10

/** No input breaks the venue: requests and socket events generated from the schemas, and hostile texts in every field. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  return [
    await requests(seed, log),
    await events(seed, log),
    await texts(log),
    await showTexts('S13d', batches, log),
  ]
}

async function requests(seed: number, log: SoakRun['log']): Promise<Row> {
  const database = await openMemoryDatabase()
  const venue = await openTickingVenue(database)
  try {
    const { sent, violations, tampered, statuses, neverSucceeded } = await fuzzCalls(
      venue,
      requestsTried,
      seed,
    )
    for (const violation of [...violations, ...tampered]) log(violation)
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
    const note = `${counts.join(', ')}; never succeeded: ${neverSucceeded.join(', ') || 'none'}`
    log(note)
    return {
      id: 'S13a',
      what: 'requests fuzzed from the schemas',
      tried: sent,
      broken: violations.length + tampered.length,
      note,
    }
  } finally {
    await venue.close()
    await database.close()
  }
}

async function events(seed: number, log: SoakRun['log']): Promise<Row> {
  const database = await openMemoryDatabase()
  const venue = await openTickingVenue(database)
  try {
    const { sent, answered, received, violations } = await fuzzEvents(venue, eventsTried, seed)
    for (const violation of violations) log(violation)
    const note = `${answered} answered, ${received} events of the venue`
    return {
      id: 'S13b',
      what: 'socket events fuzzed from the schemas',
      tried: sent,
      broken: violations.length,
      note,
    }
  } finally {
    await venue.close()
    await database.close()
  }
}

const batches = Array.from({ length: Math.ceil(hostile.length / textsOfOne) }, (_, i) =>
  hostile.slice(i * textsOfOne, (i + 1) * textsOfOne),
)
const accountOf = (i: number): string => `injected_${String(i).padStart(2, '0')}`
const phoneOf = (i: number): string => `137000001${String(i).padStart(2, '0')}`

/** Every field of every request, with the tables counted. */
async function texts(log: SoakRun['log']): Promise<Row> {
  const database = await openMemoryDatabase()
  const venue = await openTickingVenue(database)
  const violations: string[] = []
  let calls = 0
  try {
    const target = { url: (await venue.listen()).url, deskKey }
    for (const [i, batch] of batches.entries()) {
      const injected = await injectCounted(database, target, accountOf(i), phoneOf(i), batch)
      calls += injected.calls
      violations.push(...injected.violations)
    }
  } finally {
    await venue.close()
    await database.close()
  }
  for (const violation of violations) log(violation)
  const note = `${hostile.length} texts`
  return {
    id: 'S13c',
    what: 'hostile texts in every field, tables counted',
    tried: calls,
    broken: violations.length,
    note,
  }
}

/** The same texts on every page of the built app, in a browser. */
export async function showTexts(
  id: string,
  batches: readonly (readonly string[])[],
  log: SoakRun['log'],
): Promise<Row> {
  const venue = await openBuiltVenue()
  const browser = await launchBrowser()
  const violations: string[] = []
  let [pageCount, literalCount] = [0, 0]
  try {
    for (const [i, batch] of batches.entries()) {
      const injected = await injectTexts(venue, accountOf(i), phoneOf(i), batch)
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
      const report = await showInjected(context, venue, injected, batch)
      await context.close()
      pageCount += report.pages
      literalCount += report.shownLiterally
      violations.push(...injected.violations, ...report.violations)
      log(`${(i + 1) * textsOfOne} texts shown`)
    }
  } finally {
    await browser.close()
    await venue.close()
  }
  for (const violation of violations) log(violation)
  const note = `${literalCount} shown literally`
  return {
    id,
    what: 'pages shown with hostile texts',
    tried: pageCount,
    broken: violations.length,
    note,
  }
}
