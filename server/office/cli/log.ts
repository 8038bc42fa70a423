import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PlatformSettings } from '../../platform/settings.ts'
import { actorName } from '../../../contract/office/schema.ts'
import { becomeAnotherVenue } from '../../platform/anotherVenue.ts'
import { createActWriter } from '../../notices/index.ts'
import { SettingsError } from '../../platform/settingsError.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { LeaseHeldError, acquireLease } from '../../platform/db/lease.ts'
import { DataDirLockedError } from '../../platform/db/lock.ts'
import { SchemaMismatchError } from '../../platform/db/migrate.ts'
import { withDataDirErrors } from '../../platform/db/operatorErrors.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { cutLog, firstViolation, verifyLog, type LogCheck } from '../../market/index.ts'
import { UsageError } from './usageError.ts'

type DatabaseSettings = Pick<PlatformSettings, 'dataDir' | 'databaseUrl' | 'databaseOwnerUrl'>
type Output = { out: (line: string) => void; progress: (line: string) => void }
/** A database with no other writer, for one command. */
type OpenedDatabase = { db: Db; beginTerm: () => Promise<Fence> }

const sha = (text: string): string => hash('sha256', text)
const progressMs = 1000
const recordAct = createActWriter({ clock: { now: () => Date.now() } })

export const logHelp = [
  'npm run -s desk -- log check | log cut --at PLACE --as NAME | log rename --as NAME',
  '',
  'check  Verifies the whole tick log. Exit code 0: it is intact. 1: it is damaged, with the place of the first broken row.',
  'cut    Moves that row, and for a flush all rows after it, into separate tables. The time becomes a public gap, and',
  '       the next start refunds the open orders it affects. PLACE must be the one that check reports.',
  'rename After PostgreSQL itself restored the database to an earlier instant: the public log goes on under another name,',
  '       because the one before has signed what this database no longer has. `restore` does it by itself.',
  '',
  'All work directly on the database (DATA_DIR, DATABASE_URL), and only while no venue runs on it.',
].join('\n')

/**
 * The commands for the tick log, for a venue that cannot start.
 * @param readSettings may throw SettingsError
 * @returns the exit code: 0 done or intact, 1 damaged or rejected
 * @throws UsageError if the log could not be read: wrong arguments or settings, or a venue is running
 */
export async function runLogCommand(
  args: readonly string[],
  readSettings: () => DatabaseSettings,
  output: Output,
): Promise<number> {
  const command = readLogArguments(args)
  if (command.verb === 'help') {
    output.out(logHelp)
    return 0
  }
  return withDatabase(readSettings, async ({ db, beginTerm }) => {
    if (command.verb === 'rename') {
      await renamePublicLog(db, await beginTerm(), command.actor)
      output.out('the next start gives the public log another name')
      return 0
    }
    const check = await verifyLog(db, sha, throttledProgress(output))
    const violation = firstViolation(check)
    if (command.verb === 'check') return report(check, output)
    if (violation === null) {
      output.out('the log is intact: there is nothing to cut')
      return 1
    }
    const { at, actor } = command
    if (at !== violation.place) {
      output.out(`the log can only be cut at ${violation.place}`)
      return 1
    }
    const fence = await beginTerm()
    const cut = await cutLog({ db, fence, sha, now: Date.now(), actor, recordAct }, violation)
    const moved = `${cut.flushes} flushes and ${cut.chunks} chunks moved`
    output.out(`cut at ${violation.place}: ${moved}, gaps for ${cut.gaps} products; next: log check`)
    return 0
  })
}

async function renamePublicLog(db: Db, fence: Fence, actor: string): Promise<void> {
  await fence.transaction(db, async (tx) => {
    await becomeAnotherVenue(tx)
    await recordAct(tx, {
      actor,
      act: 'log rename',
      subject: { kind: 'log', id: 'public' },
      details: { command: 'log rename' },
    })
  })
}

function report(check: LogCheck, output: Output): number {
  const violation = firstViolation(check)
  if (violation === null) {
    output.out(`the log is intact: ${check.chunks} chunks, ${check.ticks} ticks`)
    return 0
  }
  const more = check.violations.length > 1 ? ` (${check.violations.length} violations in total)` : ''
  output.out(`${violation.message}${more}`)
  output.out(`to cut it there: npm run -s desk -- log cut --at ${violation.place} --as NAME`)
  return 1
}

function throttledProgress({ progress }: Output): (chunks: number, ticks: number) => void {
  let lastReportAt = performance.now()
  return (chunks, ticks) => {
    if (performance.now() - lastReportAt < progressMs) return
    lastReportAt = performance.now()
    progress(`${chunks} chunks, ${ticks} ticks`)
  }
}

type LogArguments =
  | { verb: 'help' }
  | { verb: 'check' }
  | { verb: 'cut'; at: string; actor: string }
  | { verb: 'rename'; actor: string }

const verbs = 'check, cut, rename'

function readLogArguments(args: readonly string[]): LogArguments {
  const options = { at: { type: 'string' }, as: { type: 'string' }, help: { type: 'boolean' } } as const
  const { values, positionals } = orUsageError(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  )
  const [verb, ...extra] = positionals
  if (values.help === true) return { verb: 'help' }
  if ((verb !== 'check' && verb !== 'cut' && verb !== 'rename') || extra.length > 0)
    throw new UsageError(`log takes ${verbs}`)
  if (verb === 'check') return { verb }
  if (verb === 'cut' && values.at === undefined)
    throw new UsageError('log cut needs --at, with the place that log check reports')
  if (values.as === undefined) throw new UsageError(`log ${verb} needs --as, with the name of who acts`)
  const actor = actorName.safeParse(values.as)
  if (!actor.success) throw new UsageError('--as is invalid: one line of at most 40 characters')
  return verb === 'rename' ? { verb, actor: actor.data } : { verb, at: values.at ?? '', actor: actor.data }
}

function orUsageError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : `log takes ${verbs}`)
  }
}

async function withDatabase(
  readSettings: () => DatabaseSettings,
  work: (opened: OpenedDatabase) => Promise<number>,
): Promise<number> {
  try {
    const { dataDir, databaseUrl, databaseOwnerUrl } = readSettings()
    if (databaseUrl === null && !existsSync(join(dataDir, 'db'))) {
      throw new UsageError(`there is no database in ${dataDir}: set DATA_DIR or DATABASE_URL`)
    }
    const database = await withDataDirErrors({ dataDir }, () =>
      openDatabase({ dataDir, databaseUrl: databaseOwnerUrl ?? databaseUrl }),
    )
    try {
      const onLeaseLost = (error: Error): never => {
        process.stderr.write(`desk: ${error.message}\n`)
        process.exit(1)
      }
      const lease = await acquireLease(database, onLeaseLost)
      try {
        await database.migrate()
        return await work({ db: database.db, beginTerm: () => lease.begin('desk') })
      } finally {
        await lease.release()
      }
    } finally {
      await database.close()
    }
  } catch (error) {
    const isInUse = error instanceof LeaseHeldError || error instanceof DataDirLockedError
    const isWrong = error instanceof SettingsError || error instanceof SchemaMismatchError
    if (isInUse || isWrong) throw new UsageError(error.message)
    throw error
  }
}
