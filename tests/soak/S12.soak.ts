import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import {
  tryBruteForce,
  measureLogout,
  loginTiming,
  weakHashes,
  type LogoutReport,
} from '../scenarios/safety/bruteForce.ts'
import { tryOthersResources } from '../scenarios/safety/accessControl.ts'
import type { Findings } from '../scenarios/findings.ts'
import type { SoakRun, Row } from './row.ts'
import { openTickingVenue, type TickingVenue } from '../support/tickingVenue.ts'

const loginRounds = 160
const logouts = 20
const deadWithinMs = 1000

/** Nobody gets access without credentials. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const open = await withVenue({ argon2: true }, async (venue) => [
    await accessControl(venue, log),
    await logout(venue, log),
    await timing(venue, log),
    row('S12d', 'stored passwords', await weakHashes(venue), log),
  ])
  const limited = await withVenue({ settings: { rateLimits: true } }, async (venue) => [
    row('S12e', 'guesses of seven secrets', await tryBruteForce(venue), log),
  ])
  return [...open, ...limited]
}

async function withVenue(
  settings: Parameters<typeof openTickingVenue>[1],
  tries: (venue: TickingVenue) => Promise<Row[]>,
): Promise<Row[]> {
  const database = await openMemoryDatabase()
  const venue = await openTickingVenue(database, settings)
  try {
    return await tries(venue)
  } finally {
    await venue.close()
    await database.close()
  }
}

function row(id: string, what: string, { tried, violations }: Findings, log: SoakRun['log'], note = ''): Row {
  for (const violation of violations) log(violation)
  return { id, what, tried, broken: violations.length, note }
}

async function accessControl(venue: TickingVenue, log: SoakRun['log']): Promise<Row> {
  return row('S12a', 'resources of another member, every verb', await tryOthersResources(venue), log)
}

async function logout(venue: TickingVenue, log: SoakRun['log']): Promise<Row> {
  const reports: LogoutReport[] = []
  for (let i = 0; i < logouts; i++) reports.push(await measureLogout(venue))
  const late = reports.filter(({ restMs, socketMs }) => Math.max(restMs, socketMs) > deadWithinMs)
  const violations = [
    ...reports.flatMap((report) => report.violations),
    ...late.map((report) => `late: ${JSON.stringify(report)}`),
  ]
  const worst = (of: 'restMs' | 'socketMs'): number =>
    Math.round(Math.max(...reports.map((report) => report[of])))
  const note = `slowest: REST ${worst('restMs')} ms, sockets ${worst('socketMs')} ms`
  return row('S12b', 'log-outs, with two sockets each', { tried: reports.length, violations }, log, note)
}

async function timing(venue: TickingVenue, log: SoakRun['log']): Promise<Row> {
  const { tried, knownMs, unknownMs, z, violations } = await loginTiming(venue, loginRounds)
  const note = `median ${knownMs.toFixed(1)} ms known, ${unknownMs.toFixed(1)} ms unknown, Mann–Whitney z ${z.toFixed(2)}`
  return row('S12c', 'failed logins, account known and unknown', { tried, violations }, log, note)
}
