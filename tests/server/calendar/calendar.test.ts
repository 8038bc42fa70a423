import { afterEach, beforeEach, expect, it } from 'vitest'
import { openBusinessClock } from '../../../server/calendar/businessClock.ts'
import { createDailyJobs } from '../../../server/calendar/dailyJobs.ts'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import type { Database } from '../../../server/db/open.ts'
import { manualClock } from '../../support/manualClock.ts'
import { daysMs, hoursMs } from '../../support/fundVenue.ts'

const zone = 'Asia/Shanghai'
let database: Database
beforeEach(async () => {
  database = await openMemoryDatabase()
})
afterEach(() => database.close())

/** A calendar from Monday 2026-01-05 10:00 with one job that keeps the days it ran for. */
async function open(run: (day: string) => Promise<void> = async () => undefined, practice = true) {
  const clock = manualClock()
  const business = await openBusinessClock({ db: database.db, clock, zone })
  const ran: string[] = []
  const faults: unknown[] = []
  const job = {
    module: 'test',
    run: async (day: string) => {
      await run(day)
      ran.push(day)
    },
  }
  const onFault = (_module: string, error: unknown): void => void faults.push(error)
  const jobs = createDailyJobs({ clock, business, jobs: [job], practice, onError: onFault })
  return { clock, business, jobs, ran, faults }
}

it('the calendar is the clock until it is moved, and stays moved over a restart', async () => {
  const { clock, business } = await open()
  expect([business.today(), business.now(), business.offsetMs()]).toEqual(['2026-01-05', clock.now(), 0])
  await business.setOffset(daysMs(3))
  expect(business.today()).toBe('2026-01-08')
  expect(business.startOf('2026-01-09')).toBe(Date.UTC(2026, 0, 5, 16))
  expect(business.toVenue(business.now())).toBe(clock.now())
  const again = await openBusinessClock({ db: database.db, clock, zone })
  expect(again.today()).toBe('2026-01-08')
  await expect(business.setOffset(daysMs(2))).rejects.toThrow(RangeError)
})

it('a second process sees the move when it reads again', async () => {
  const [one, two] = [await open(), await open()]
  await one.business.setOffset(daysMs(1))
  expect(two.business.offsetMs()).toBe(0)
  await two.business.reload()
  expect(two.business.offsetMs()).toBe(daysMs(1))
})

it('jobs run at the start and at each midnight of the zone', async () => {
  const { clock, jobs, ran } = await open()
  await jobs.start()
  await clock.advance(hoursMs(14) - 1)
  expect(ran).toEqual(['2026-01-05'])
  await clock.advance(1)
  expect(ran).toEqual(['2026-01-05', '2026-01-06'])
  await clock.advance(daysMs(2))
  expect(ran.slice(2)).toEqual(['2026-01-07', '2026-01-08'])
  await jobs.stop()
  await clock.advance(daysMs(2))
  expect(ran).toHaveLength(4)
  expect(clock.pending()).toBe(0)
})

it('an advance passes each midnight in order and lands where it was asked to', async () => {
  const { clock, business, jobs, ran } = await open()
  await jobs.start()
  ran.length = 0
  await jobs.advance(daysMs(2) + hoursMs(15))
  expect(ran).toEqual(['2026-01-06', '2026-01-07', '2026-01-08', '2026-01-08'])
  expect(business.offsetMs()).toBe(daysMs(2) + hoursMs(15))
  await clock.advance(hoursMs(23))
  expect(ran.at(-1)).toBe('2026-01-09')
  await jobs.stop()
})

it('two advances at once add up', async () => {
  const { business, jobs } = await open()
  await jobs.start()
  await Promise.all([jobs.advance(daysMs(1)), jobs.advance(daysMs(2))])
  expect(business.offsetMs()).toBe(daysMs(3))
  await jobs.stop()
})

it('an advance that fails stops at the day that failed, and a later run goes on from there', async () => {
  let sick = true
  const { business, jobs, ran, clock, faults } = await open(async (day) => {
    if (sick && day === '2026-01-07') throw new Error('sick')
  })
  await jobs.start()
  await expect(jobs.advance(daysMs(5))).rejects.toThrow('sick')
  expect(business.today()).toBe('2026-01-07')
  sick = false
  await clock.advance(daysMs(1))
  expect(ran).toEqual(['2026-01-05', '2026-01-06', '2026-01-08'])
  expect(faults).toEqual([])
  await jobs.stop()
})

it('a midnight that fails is told and tried again a minute later', async () => {
  let sick = true
  const { clock, jobs, ran, faults } = await open(async () => {
    if (sick) throw new Error('sick')
  })
  await jobs.start()
  expect(faults).toHaveLength(1)
  sick = false
  await clock.advance(60_000)
  expect(ran).toEqual(['2026-01-05'])
  await jobs.stop()
})

it.each([0, -1, 1.5, Number.NaN, daysMs(401)])('an advance by %s is refused', async (ms) => {
  const { business, jobs } = await open()
  await expect(jobs.advance(ms)).rejects.toMatchObject({ status: 400, code: 'VALIDATION' })
  expect(business.offsetMs()).toBe(0)
})

it('live mode does not move its calendar', async () => {
  const { jobs } = await open(undefined, false)
  await expect(jobs.advance(daysMs(1))).rejects.toMatchObject({ status: 403, code: 'PRACTICE_ONLY' })
})
