import { parseArgs } from 'node:util'
import { isBusinessDay, type BusinessDay } from '../../../contract/time.ts'
import { runOperatorCommand, UsageError } from '../backup/operatorCommand.ts'
import { openSource } from '../backup/source.ts'
import { readSettings } from '../../start/config.ts'
import { assertMigrated } from '../../platform/db/migrate.ts'
import { replayDay, type ReplayReport } from './replayDay.ts'

const exitCodes = { reproduced: 0, differs: 1 } as const
const help = [
  'npm run -s replay-day -- [--day YYYY-MM-DD]',
  '',
  "Computes orders, settlements, ledger and fund again from the venue's ticks and the commands that it accepted, and",
  'compares every row. It writes nothing.',
  '',
  "--day  settles the orders of this day of the venue's zone again; without it every order. The tick log, the ledger and",
  '       the fund are always replayed from their beginning.',
  '',
  'The database is that of the environment: DATABASE_URL, on which venues may run, or the embedded one in DATA_DIR, whose',
  'venue must be stopped. zone and holidays of CONFIG_FILE must be those of the venue.',
  'Exit code 0: every row is reproduced. 1: a row differs; the first one is printed. 2: it could not be replayed.',
].join('\n')

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const progressMs = 1000

async function run(args: readonly string[]): Promise<number> {
  const { showHelp, day } = readArguments(args)
  if (showHelp) {
    print(help)
    return exitCodes.reproduced
  }
  const settings = readSettings(process.env)
  const source = await openSource(settings)
  try {
    await assertMigrated(source.database.pool)
    const { zone, operatorConfig } = settings
    const holidays = new Set(operatorConfig.holidays)
    const report = await replayDay(source.database.db, {
      day,
      zone,
      holidays,
      onProgress: throttledProgress(),
    })
    for (const line of linesOf(report)) print(line)
    return report.difference === null ? exitCodes.reproduced : exitCodes.differs
  } finally {
    await source.close()
  }
}

function readArguments(args: readonly string[]): { showHelp: boolean; day: BusinessDay | null } {
  const options = { day: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
  let values
  try {
    values = parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'wrong arguments')
  }
  const { day = null, help: showHelp = false } = values
  if (day !== null && !isBusinessDay(day)) throw new UsageError('--day must be a day as YYYY-MM-DD')
  return { showHelp, day }
}

function linesOf(report: ReplayReport): string[] {
  const { ticks, cut, rows, difference } = report
  const counts = [
    `${ticks} ticks`,
    `${rows.orders} orders`,
    `${rows.answers} answers to orders`,
    `${rows.postings} postings`,
    `${rows.fund} rows of the fund`,
  ].join(', ')
  const cutLine = cut > 0 ? [`${cut} orders not settled again: their ticks were cut from the log`] : []
  if (difference === null)
    return [`reproduced: ${counts}`, ...cutLine, `SHA-256 of the rows: ${report.digest}`]
  const { message, venue, replay } = difference
  const sides =
    venue === null && replay === null
      ? []
      : [`  venue   ${JSON.stringify(venue)}`, `  replay  ${JSON.stringify(replay)}`]
  return [message, ...sides, `equal up to there: ${counts}`, ...cutLine]
}

/** Progress, once a second at most. */
function throttledProgress(): (line: string) => void {
  let lastAt = performance.now()
  return (line) => {
    if (performance.now() - lastAt < progressMs) return
    lastAt = performance.now()
    process.stderr.write(`${line}\n`)
  }
}

await runOperatorCommand('replay-day', run)
