import { openMemoryDatabase } from '../../server/db/open.ts'
import { openDeskHouse } from '../support/deskHouse.ts'
import type { DeskHouse } from '../support/deskHouse.ts'
import { guessing, logOut, loginTiming, weakHashes } from '../support/safety/doors.ts'
import type { Logout } from '../support/safety/doors.ts'
import { othersThings } from '../support/safety/strangers.ts'
import type { Campaign, Row } from './row.ts'

const loginRounds = 160
const logouts = 20
const deadWithinMs = 1000

/** No stranger gets in. */
export async function run({ say }: Campaign): Promise<Row[]> {
  const open = await inHouse({ trustProxy: 1 }, async (house) => [
    await things(house, say),
    await leaving(house, say),
    await timing(house, say),
    row('S12d', 'stored passwords', await weakHashes(house), say),
  ])
  const limited = await inHouse({ trustProxy: 1, rateLimits: true }, async (house) => [
    row('S12e', 'guesses at seven doors', await guessing(house), say),
  ])
  return [...open, ...limited]
}

async function inHouse(
  settings: Parameters<typeof openDeskHouse>[1],
  tries: (house: DeskHouse) => Promise<Row[]>,
): Promise<Row[]> {
  const database = await openMemoryDatabase()
  const house = await openDeskHouse(database, settings)
  try {
    return await tries(house)
  } finally {
    await house.close()
    await database.close()
  }
}

type Tried = { tried: number; faults: string[] }
function row(id: string, what: string, { tried, faults }: Tried, say: Campaign['say'], note = ''): Row {
  for (const fault of faults) say(fault)
  return { id, what, tried, broken: faults.length, note }
}

async function things(house: DeskHouse, say: Campaign['say']): Promise<Row> {
  return row('S12a', 'things of another member, every verb', await othersThings(house), say)
}

async function leaving(house: DeskHouse, say: Campaign['say']): Promise<Row> {
  const ends: Logout[] = []
  for (let i = 0; i < logouts; i++) ends.push(await logOut(house))
  const late = ends.filter(({ restMs, socketMs }) => Math.max(restMs, socketMs) > deadWithinMs)
  const faults = [...ends.flatMap((end) => end.faults), ...late.map((end) => `late: ${JSON.stringify(end)}`)]
  const worst = (of: 'restMs' | 'socketMs'): number => Math.round(Math.max(...ends.map((end) => end[of])))
  const note = `slowest: REST ${worst('restMs')} ms, sockets ${worst('socketMs')} ms`
  return row('S12b', 'log-outs, with two sockets each', { tried: logouts, faults }, say, note)
}

async function timing(house: DeskHouse, say: Campaign['say']): Promise<Row> {
  const { knownMs, unknownMs, z, faults } = await loginTiming(house, loginRounds)
  const note = `median ${knownMs.toFixed(1)} ms known, ${unknownMs.toFixed(1)} ms unknown, Mann–Whitney z ${z.toFixed(2)}`
  return row(
    'S12c',
    'failed logins, account known and unknown',
    { tried: loginRounds * 2, faults },
    say,
    note,
  )
}
