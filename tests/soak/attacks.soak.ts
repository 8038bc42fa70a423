import { runAttackTests } from '../scenarios/attacks/attackTests.ts'
import type { Engine } from '../scenarios/attacks/attackedVenue.ts'
import { searchBackup } from '../scenarios/attacks/backupCanaries.ts'
import { callAsEverybody } from '../scenarios/attacks/callMatrix.ts'
import { readCaptchas } from '../scenarios/attacks/captchaReader.ts'
import { lookFromOffice } from '../scenarios/attacks/officeLooks.ts'
import { useEndedSessions } from '../scenarios/attacks/endedSessions.ts'
import { swapFeeds } from '../scenarios/attacks/feedSwap.ts'
import { fillQueues } from '../scenarios/attacks/fullQueues.ts'
import { lockOut } from '../scenarios/attacks/lockOut.ts'
import { exportLongHistory } from '../scenarios/attacks/longHistory.ts'
import { sendOddRequests } from '../scenarios/attacks/oddRequests.ts'
import { emptyTheBank } from '../scenarios/attacks/oneFinance.ts'
import { predict } from '../scenarios/attacks/predictor.ts'
import { loadPublicCalls } from '../scenarios/attacks/publicLoad.ts'
import { sendRawHttp } from '../scenarios/attacks/rawHttp.ts'
import { strangerOnBus } from '../scenarios/attacks/strangerOnBus.ts'
import type { Findings } from '../scenarios/findings.ts'
import { scriptStrings } from '../scenarios/safety/attacks.ts'
import { searchCanaries } from '../scenarios/safety/canaries.ts'
import { natsAnswers } from '../support/nats.ts'
import { openScratchPostgres, postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { seededRandom } from '../support/random.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import { showTexts } from './S13.soak.ts'
import type { SoakRun, Row } from './row.ts'

const historyOrders = Number(process.env['ORDERS'] ?? 800_000)
const exportsAtOnce = 8
const captchasRead = 300
const loadSeconds = Number(process.env['SECONDS'] ?? 10)
/** Those to run, by name; default: all. */
const chosen = process.env['PROBES']?.split(',')

type Probe = (run: { main: string; log: SoakRun['log']; seed: number }) => Promise<Row[]>
type Found = Findings & { note?: string }

const rowOf = (what: string, { tried, violations, note }: Found, log: SoakRun['log']): Row => {
  for (const violation of violations) log(violation)
  return { id: 'attacks', what, tried, broken: violations.length, ...(note !== undefined && { note }) }
}

/** On PostgreSQL too where it answers. */
const onEngines =
  (what: string, attack: (main: string, engine: Engine, log: SoakRun['log']) => Promise<Found>): Probe =>
  async ({ main, log }) => {
    const engines: Engine[] =
      (await postgresUnavailableReason()) === null ? ['embedded', 'postgres'] : ['embedded']
    const rows: Row[] = []
    for (const engine of engines)
      rows.push(rowOf(`${what} (${engine})`, await attack(main, engine, log), log))
    return rows
  }

/** Several nodes, where PostgreSQL and NATS answer. */
const onNodes =
  (what: string, attack: (main: string, seed: number) => Promise<Found>): Probe =>
  async ({ main, log, seed }) => {
    if ((await postgresUnavailableReason()) !== null || !(await natsAnswers())) return []
    return [rowOf(what, await attack(main, seed), log)]
  }

const probes: Readonly<Record<string, Probe>> = {
  feedSwap: async ({ main, log }) => [await swapped(main, log)],
  officeLooks: async ({ main, log }) => [await looked(main, log)],
  atRest: async ({ main, log }) => [await atRest(main, log)],
  history: ({ main, log }) => history(main, log),
  bus: onNodes('a stranger on NATS reads, forges, repeats and answers: nothing has an effect', strangerOnBus),
  endedSessions: onNodes('sessions that ended at one node, used at another one', useEndedSessions),
  lockOut: onEngines('log-ins with the right password during a siege', lockOut),
  oneFinance: onEngines('what one person of finance pays out alone, in pieces', emptyTheBank),
  queues: onEngines('queues that one member fills', fillQueues),
  oddRequests: onEngines('amounts, orders, keys and bodies that no client sends', sendOddRequests),
  calls: onEngines('calls from foreign pages, outside a role, without a session', callAsEverybody),
  rawHttp: onEngines('bytes, paths, hosts and frames that no browser sends', sendRawHttp),
  publicLoad: onEngines('checks of orders and prices while one address asks for all', (main, engine, log) =>
    loadPublicCalls(main, engine, loadSeconds, log),
  ),
  pages: async ({ log }) => [await showTexts('attacks', [scriptStrings.slice(0, 12)], log)],
  captchas: async ({ log, seed }) => {
    const { next } = seededRandom(seed)
    return [rowOf('captchas that a simple reader guesses', await readCaptchas(captchasRead, next), log)]
  },
  predictor: async ({ log }) => [
    rowOf('markets on which a member bets by what everybody sees', predict(), log),
  ],
  tests: async ({ log }) => [rowOf('tests of what is tried on one part', await runAttackTests(), log)],
}

/** What outsiders, members and one of the staff have tried on the built venue. */
export async function run({ log, seed }: SoakRun): Promise<Row[]> {
  return withServerBundle(async (main) => {
    const rows: Row[] = []
    for (const [name, probe] of Object.entries(probes)) {
      if (chosen && !chosen.includes(name)) continue
      log(name)
      rows.push(...(await probe({ main, log, seed })))
    }
    return rows
  })
}

async function swapped(main: string, log: SoakRun['log']): Promise<Row> {
  const { tried, steered } = await swapFeeds(main, log)
  const what = 'open orders whose price source was replaced: refused, or their stakes returned'
  return { id: 'attacks', what, tried, broken: steered.length }
}

async function looked(main: string, log: SoakRun['log']): Promise<Row> {
  const { tried, silent } = await lookFromOffice(main, log)
  const what = 'looks of the desk: what tells sealed data leaves a row of the act log'
  return { id: 'attacks', what, tried, broken: silent.length }
}

async function atRest(main: string, log: SoakRun['log']): Promise<Row> {
  const reports = [await searchCanaries(main), await searchBackup(main)]
  const found = reports.flatMap((report) => report.found)
  for (const canary of found) log(canary)
  const tried = reports.reduce((sum, { searched }) => sum + searched, 0)
  return {
    id: 'attacks',
    what: 'log, data folder, answers and backup searched for canaries',
    tried,
    broken: found.length,
  }
}

async function history(main: string, log: SoakRun['log']): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null) return []
  const scratch = await openScratchPostgres('long history')
  try {
    const plan = { orders: historyOrders, atOnce: exportsAtOnce, log }
    const { lines, grownMb, slowestMs, problems } = await exportLongHistory(main, scratch, plan)
    for (const problem of problems) log(problem)
    return [
      {
        id: 'attacks',
        what: 'lines of long histories, exported several at once: the venue stays small and prompt',
        tried: lines,
        broken: problems.length,
        note: `memory +${grownMb} MB, slowest answer ${slowestMs} ms`,
      },
    ]
  } finally {
    await scratch.drop()
  }
}
