import { openMemoryDatabase } from '../../server/db/open.ts'
import { openBackOfficeVenue } from '../support/backOfficeVenue.ts'
import type { BackOfficeVenue } from '../support/backOfficeVenue.ts'
import { tryBruteForce, measureLogout, loginTiming, weakHashes } from '../support/safety/bruteForce.ts'
import type { LogoutReport } from '../support/safety/bruteForce.ts'
import { tryOthersResources } from '../support/safety/accessControl.ts'
import type { SoakRun, Row } from './row.ts'

const loginRounds = 160
const logouts = 20
const deadWithinMs = 1000

/** No stranger gets in. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const open = await withVenue({ trustProxy: 1 }, async (venue) => [
    await accessControl(venue, log),
    await logout(venue, log),
    await timing(venue, log),
    row('S12d', 'stored passwords', await weakHashes(venue), log),
  ])
  const limited = await withVenue({ trustProxy: 1, rateLimits: true }, async (venue) => [
    row('S12e', 'guesses at seven doors', await tryBruteForce(venue), log),
  ])
  return [...open, ...limited]
}

async function withVenue(
  settings: Parameters<typeof openBackOfficeVenue>[1],
  tries: (venue: BackOfficeVenue) => Promise<Row[]>,
): Promise<Row[]> {
  const database = await openMemoryDatabase()
  const venue = await openBackOfficeVenue(database, settings)
  try {
    return await tries(venue)
  } finally {
    await venue.close()
    await database.close()
  }
}

type CheckReport = { tried: number; violations: string[] }
function row(
  id: string,
  what: string,
  { tried, violations }: CheckReport,
  say: SoakRun['log'],
  note = '',
): Row {
  for (const violation of violations) say(violation)
  return { id, what, tried, broken: violations.length, note }
}

async function accessControl(venue: BackOfficeVenue, say: SoakRun['log']): Promise<Row> {
  return row('S12a', 'things of another member, every verb', await tryOthersResources(venue), say)
}

async function logout(venue: BackOfficeVenue, say: SoakRun['log']): Promise<Row> {
  const ends: LogoutReport[] = []
  for (let i = 0; i < logouts; i++) ends.push(await measureLogout(venue))
  const late = ends.filter(({ restMs, socketMs }) => Math.max(restMs, socketMs) > deadWithinMs)
  const violations = [
    ...ends.flatMap((end) => end.violations),
    ...late.map((end) => `late: ${JSON.stringify(end)}`),
  ]
  const worst = (of: 'restMs' | 'socketMs'): number => Math.round(Math.max(...ends.map((end) => end[of])))
  const note = `slowest: REST ${worst('restMs')} ms, sockets ${worst('socketMs')} ms`
  return row('S12b', 'log-outs, with two sockets each', { tried: logouts, violations }, say, note)
}

async function timing(venue: BackOfficeVenue, say: SoakRun['log']): Promise<Row> {
  const { knownMs, unknownMs, z, violations } = await loginTiming(venue, loginRounds)
  const note = `median ${knownMs.toFixed(1)} ms known, ${unknownMs.toFixed(1)} ms unknown, Mann–Whitney z ${z.toFixed(2)}`
  return row(
    'S12c',
    'failed logins, account known and unknown',
    { tried: loginRounds * 2, violations },
    say,
    note,
  )
}
