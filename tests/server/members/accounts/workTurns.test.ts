import { expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import { createWorkChallenges } from '../../../../server/members/accounts/workChallenges.ts'
import { createSemaphore } from '../../../../server/platform/semaphore.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { seededRandom } from '../../../support/random.ts'

const database = await withDatabase()

/** Asks for challenges, and notes the code of each answer as it comes. */
function openChallenges() {
  const { db } = database
  const random = seededRandom(4)
  const works = createWorkChallenges({ db, clock: manualClock(), random, secret: random.bytes(32) })
  const answers: { ip: string; code: unknown }[] = []
  const ask = async (ip: string): Promise<unknown> => {
    const of = { purpose: 'log in', account: 'somebody', ip }
    const code = await works
      .guard(of, () => works.require(db, of, undefined, { level: 1 }))
      .then(
        () => 'none',
        (error: unknown) => Reflect.get(Object(error), 'code'),
      )
    answers.push({ ip, code })
    return code
  }
  return { ask, answers }
}

it('one network that asks for ever more challenges takes its own turns alone', async () => {
  const { ask, answers } = openChallenges()
  const flood = Array.from({ length: 2100 }, (_, i) => ask(`2001:db8:1:1::${i.toString(16)}`))
  expect(await ask('10.9.0.1')).toBe('WORK_REQUIRED')
  const given = answers.filter(({ ip, code }) => ip !== '10.9.0.1' && code === 'WORK_REQUIRED')
  expect(given.length).toBeLessThan(10)
  const codes = await Promise.all(flood)
  expect(codes.filter((code) => code === 'UNAVAILABLE').length).toBeGreaterThan(2000)
})

it('forty people behind one address get their challenges at once', async () => {
  const { ask } = openChallenges()
  const codes = await Promise.all(Array.from({ length: 40 }, () => ask('10.9.0.2')))
  expect(new Set(codes)).toEqual(new Set(['WORK_REQUIRED']))
})

it('addresses that fill the queue together give way to one that has less in it', async () => {
  const withPermit = createSemaphore(1, { ownMax: 3, queueMax: 4 })
  const ran: string[] = []
  let start = (): void => undefined
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const add = (owner: string, name: string) =>
    withPermit(
      async () => {
        await started
        ran.push(name)
      },
      { owner },
    ).catch((error: unknown) => void ran.push(`${name} ${String(Reflect.get(Object(error), 'code'))}`))
  const jobs = [
    add('z', 'z1'),
    add('a', 'a1'),
    add('a', 'a2'),
    add('a', 'a3'),
    add('a', 'a4'),
    add('b', 'b1'),
  ]
  // The queue is full: one of the three that a waits with gives way, then nobody has two more than another.
  jobs.push(add('c', 'c1'), add('b', 'b2'))
  start()
  await Promise.all(jobs)
  expect(ran.filter((name) => name.includes(' '))).toEqual([
    'a4 UNAVAILABLE',
    'a3 UNAVAILABLE',
    'b2 UNAVAILABLE',
  ])
  expect(ran.filter((name) => !name.includes(' '))).toEqual(['z1', 'a1', 'b1', 'c1', 'a2'])
})
