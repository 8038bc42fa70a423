import { afterEach, expect, it } from 'vitest'
import {
  clockOffsetMaxMs,
  describeOffset,
  measureClockOffset,
  startClockCheck,
  type ClockCheck,
} from '../../../../server/platform/cluster/clockCheck.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { withPostgres } from '../../../support/postgres.ts'

const postgres = await withPostgres('clockCheck')
const report = (what: string, error: unknown): never => {
  throw new Error(what, { cause: error })
}

let check: ClockCheck | null = null
afterEach(async () => check?.stop())

postgres.describe('the clock of a machine', () => {
  it.each([0, 61_200, -86_400_000])('is measured against that of PostgreSQL: %i ms ahead', async (ahead) => {
    const machine = { wall: () => Date.now() + ahead, monotonic: () => performance.now() }
    const started = performance.now()
    const offsetMs = await measureClockOffset(postgres.database().db, machine)
    // The error is at most the round trip.
    expect(Math.abs(offsetMs - ahead)).toBeLessThanOrEqual(performance.now() - started + 1)
  })

  it('is off by more than half a second until it agrees again, and each is said once', async () => {
    const clock = manualClock()
    let ahead = 60_000
    const lines: string[] = []
    check = await startClockCheck({
      db: postgres.database().db,
      clock,
      logLine: (level, line) => lines.push(`${level}: ${line}`),
      report,
      machine: { wall: () => Date.now() + ahead, monotonic: () => performance.now() },
    })
    expect(check.isOff()).toBe(true)
    expect(check.offsetMs()).toBeGreaterThan(clockOffsetMaxMs)
    await clock.advance(30_000)
    ahead = 0
    await clock.advance(10_000)
    expect(check.isOff()).toBe(false)
    expect(lines).toEqual([
      expect.stringMatching(
        /^error: this machine's clock is (60\.\d|59\.9) s ahead of PostgreSQL's: does NTP run/,
      ),
      "info: this machine's clock agrees with PostgreSQL's again",
    ])
  })
})

it('is described in seconds', () => {
  expect(describeOffset(61_240)).toBe("61.2 s ahead of PostgreSQL's")
  expect(describeOffset(-700)).toBe("0.7 s behind PostgreSQL's")
})
