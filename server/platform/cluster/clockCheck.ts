import { sql } from 'drizzle-orm'
import { secondMs } from '../../../contract/time.ts'
import type { Db } from '../db/database.ts'
import { runJobs } from '../jobs.ts'
import type { Clock, LogLine, Report } from '../ports.ts'
import { SettingsError } from '../settingsError.ts'

/** A machine whose clock differs from PostgreSQL's by more leads only if no other node can. */
export const clockOffsetMaxMs = 500
/** A venue that begins with such a clock would keep a wrong time permanently. */
const clockOffsetEndsStartMs = 10_000

const readings = 3
const checkEveryMs = 10_000

/** The clocks of this machine, ms: a test sets them. */
export type MachineClock = { wall: () => number; monotonic: () => number }

const machineClock: MachineClock = { wall: Date.now, monotonic: () => performance.now() }

/** How far the clock of this machine is ahead of the database's, ms, by the fastest of a few readings. */
export async function measureClockOffset(db: Db, { wall, monotonic } = machineClock): Promise<number> {
  let fastest = { roundTripMs: Number.POSITIVE_INFINITY, offsetMs: 0 }
  for (let i = 0; i < readings; i++) {
    const sentAt = monotonic()
    const { rows } = await db.execute<{ at: number }>(
      sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at`,
    )
    const roundTripMs = monotonic() - sentAt
    const offsetMs = wall() - roundTripMs / 2 - (rows[0]?.at ?? 0)
    if (roundTripMs < fastest.roundTripMs) fastest = { roundTripMs, offsetMs }
  }
  return fastest.offsetMs
}

/** Such as "61.2 s ahead of PostgreSQL's". */
export const describeOffset = (offsetMs: number): string =>
  `${(Math.abs(offsetMs) / secondMs).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's`

/** @throws SettingsError if a venue that begins with this clock would have a wrong time */
export function assertRightClock({ offsetMs }: Pick<ClockCheck, 'offsetMs'>): void {
  if (Math.abs(offsetMs()) <= clockOffsetEndsStartMs) return
  throw new SettingsError(
    `this machine's clock is ${describeOffset(offsetMs())}: set it (NTP), then start again`,
  )
}

export type ClockCheck = {
  /** By the newest measurement. */
  offsetMs(): number
  isOff(): boolean
  stop(): Promise<void>
}

/** Compares this machine's clock with the database's now and every ten seconds, and says when it is off and when no longer. */
export async function startClockCheck(parts: {
  db: Db
  clock: Clock
  logLine: LogLine
  report: Report
  machine?: MachineClock
}): Promise<ClockCheck> {
  const { db, clock, logLine, report, machine = machineClock } = parts
  let offsetMs = 0
  let isOff = false
  const measure = async (): Promise<void> => {
    offsetMs = await measureClockOffset(db, machine)
    const wasOff = isOff
    isOff = Math.abs(offsetMs) > clockOffsetMaxMs
    if (isOff && !wasOff) {
      const where = describeOffset(offsetMs)
      logLine('error', `this machine's clock is ${where}: does NTP run?`)
    } else if (wasOff && !isOff) logLine('info', "this machine's clock agrees with PostgreSQL's again")
  }
  await measure()
  const job = { name: 'compare the clock with the database', everyMs: checkEveryMs, run: measure }
  return { offsetMs: () => offsetMs, isOff: () => isOff, stop: runJobs(clock, [job], report) }
}
