import { afterEach, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../contract/time.ts'
import { openBusinessClock } from '../../../../server/money/calendar/businessClock.ts'
import { createDailyJobs } from '../../../../server/money/calendar/dailyJobs.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { setting } from '../../../../server/platform/db/schema.ts'
import { createSettingWatch } from '../../../../server/platform/settingWatch.ts'
import { followerOf } from '../../../support/testCluster.ts'
import { manualClock } from '../../../support/manualClock.ts'

const zone = 'Asia/Shanghai'
const database = await withDatabase()
// The stored offset: each test begins with a calendar that was never advanced.
afterEach(() => database.db.delete(setting))

/** A calendar from Monday 2026-01-05 10:00 with one job that records the days it ran for. */
async function open(run: (day: string) => Promise<void> = async () => undefined, practice = true) {
  const clock = manualClock()
  const settingWatch = createSettingWatch({ db: database.db, cluster: followerOf })
  const business = await openBusinessClock({ db: database.db, clock, settings: { zone }, settingWatch })
  const ranDays: string[] = []
  const errors: unknown[] = []
  const job = {
    module: 'test',
    run: async (day: string) => {
      await run(day)
      ranDays.push(day)
    },
  }
  const report = (_message: string, error: unknown): void => void errors.push(error)
  const jobs = createDailyJobs({
    clock,
    business,
    jobs: [job],
    settings: { mode: practice ? 'practice' : 'live' },
    report,
  })
  return { clock, business, settingWatch, jobs, ranDays, errors }
}

it('follows the clock until it is advanced, and keeps its offset over a restart', async () => {
  const { clock, business } = await open()
  expect([business.today(), business.now(), business.offsetMs()]).toEqual(['2026-01-05', clock.now(), 0])
  await business.setOffset(3 * dayMs)
  expect(business.today()).toBe('2026-01-08')
  expect(business.startOf('2026-01-09')).toBe(Date.UTC(2026, 0, 5, 16))
  expect(business.toVenue(business.now())).toBe(clock.now())
  const settingWatch = createSettingWatch({ db: database.db, cluster: followerOf })
  const again = await openBusinessClock({ db: database.db, clock, settings: { zone }, settingWatch })
  expect(again.today()).toBe('2026-01-08')
  await expect(business.setOffset(2 * dayMs)).rejects.toThrow(RangeError)
})

it('reads the offset of another process on reload', async () => {
  const [first, second] = [await open(), await open()]
  await first.business.setOffset(dayMs)
  expect(second.business.offsetMs()).toBe(0)
  await second.business.reload()
  expect(second.business.offsetMs()).toBe(dayMs)
})

it('runs jobs at the midnight that another process has moved closer', async () => {
  const [first, second] = [await open(), await open()]
  await second.jobs.start()
  await first.business.setOffset(10 * hourMs)
  await Promise.all((second.settingWatch.jobs ?? []).map((job) => job.run()))
  await second.clock.advance(4 * hourMs - 1)
  expect(second.ranDays).toEqual(['2026-01-05'])
  await second.clock.advance(1)
  expect(second.ranDays).toEqual(['2026-01-05', '2026-01-06'])
})

it('runs jobs at the start and at each midnight of the zone', async () => {
  const { clock, jobs, ranDays } = await open()
  await jobs.start()
  await clock.advance(14 * hourMs - 1)
  expect(ranDays).toEqual(['2026-01-05'])
  await clock.advance(1)
  expect(ranDays).toEqual(['2026-01-05', '2026-01-06'])
  await clock.advance(2 * dayMs)
  expect(ranDays.slice(2)).toEqual(['2026-01-07', '2026-01-08'])
  await jobs.stop()
  await clock.advance(2 * dayMs)
  expect(ranDays).toHaveLength(4)
  expect(clock.pending()).toBe(0)
})

it('advances through each midnight in order up to the requested offset', async () => {
  const { clock, business, jobs, ranDays } = await open()
  await jobs.start()
  ranDays.length = 0
  await jobs.advance(2 * dayMs + 15 * hourMs)
  expect(ranDays).toEqual(['2026-01-06', '2026-01-07', '2026-01-08', '2026-01-08'])
  expect(business.offsetMs()).toBe(2 * dayMs + 15 * hourMs)
  await clock.advance(23 * hourMs)
  expect(ranDays.at(-1)).toBe('2026-01-09')
  await jobs.stop()
})

it('adds up two concurrent advances', async () => {
  const { business, jobs } = await open()
  await jobs.start()
  await Promise.all([jobs.advance(dayMs), jobs.advance(2 * dayMs)])
  expect(business.offsetMs()).toBe(3 * dayMs)
  await jobs.stop()
})

it('stops an advance at the day that fails, and continues from there later', async () => {
  let isBroken = true
  const { business, jobs, ranDays, clock, errors } = await open(async (day) => {
    if (isBroken && day === '2026-01-07') throw new Error('broken')
  })
  await jobs.start()
  await expect(jobs.advance(5 * dayMs)).rejects.toThrow('broken')
  expect(business.today()).toBe('2026-01-07')
  isBroken = false
  await clock.advance(dayMs)
  expect(ranDays).toEqual(['2026-01-05', '2026-01-06', '2026-01-08'])
  expect(errors).toEqual([])
  await jobs.stop()
})

it('reports a failed run and tries it again a minute later', async () => {
  let isBroken = true
  const { clock, jobs, ranDays, errors } = await open(async () => {
    if (isBroken) throw new Error('broken')
  })
  await jobs.start()
  expect(errors).toHaveLength(1)
  isBroken = false
  await clock.advance(minuteMs)
  expect(ranDays).toEqual(['2026-01-05'])
  await jobs.stop()
})

it.each([0, -1, 1.5, Number.NaN, 401 * dayMs])('rejects an advance by %s ms', async (ms) => {
  const { business, jobs } = await open()
  await expect(jobs.advance(ms)).rejects.toMatchObject({ code: 'VALIDATION' })
  expect(business.offsetMs()).toBe(0)
})

it('rejects an advance in live mode', async () => {
  const { jobs } = await open(undefined, false)
  await expect(jobs.advance(dayMs)).rejects.toMatchObject({ code: 'PRACTICE_ONLY' })
})
