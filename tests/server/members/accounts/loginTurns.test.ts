import { expect, it } from 'vitest'
import {
  createLoginAttempts,
  type LoginAttempts,
  type LoginIdentity,
} from '../../../../server/members/accounts/loginAttempts.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { seededRandom } from '../../../support/random.ts'

const database = await withDatabase()

const openAttempts = (): LoginAttempts =>
  createLoginAttempts({
    db: database.db,
    clock: manualClock(),
    addressWorkThreshold: null,
    secret: seededRandom(7).bytes(32),
  })
const who = (account: string, ip: string): LoginIdentity => ({ account, ip, device: null, isFree: true })
const admitted = async () => true
const codeOf = (error: unknown): unknown => Reflect.get(Object(error), 'code')

/** Begins an attempt that stays in the database until it is released, so that the others wait. */
function hold(attempts: LoginAttempts) {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const admit = async (): Promise<boolean> => {
    await held
    return true
  }
  return { begun: attempts.begin(who('holder_001', '10.7.0.1'), admit), release }
}

it('a right password counts for nothing, however many log-ins wait', async () => {
  const attempts = openAttempts()
  const own = who('owner_0001', '10.7.1.1')
  const first = await attempts.begin(own, admitted)
  const second = await attempts.begin(own, admitted)
  const { begun, release } = hold(attempts)
  // More of this address than can wait: some of them are refused at once.
  const crowd = Array.from({ length: 80 }, () =>
    attempts.begin(who('crowd_0001', own.ip), admitted).then(() => 'begun', codeOf),
  )
  const ended = Promise.allSettled([first?.succeeded(), second?.discard()])
  release()
  await begun
  expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await Promise.all(crowd)).toContain('UNAVAILABLE')
  let failures = -1
  await attempts.begin(own, async ({ requiresCaptcha, workLevel }) => {
    failures = requiresCaptcha || workLevel > 0 ? 1 : 0
    return false
  })
  expect(failures).toBe(0)
})

it('one address that logs in without end takes its own turns alone', async () => {
  const attempts = openAttempts()
  const { begun, release } = hold(attempts)
  const order: string[] = []
  const logIn = (ip: string) =>
    attempts.begin(who('turns_0001', ip), async () => {
      order.push(ip)
      return false
    })
  const flood = Array.from({ length: 60 }, () => logIn('10.7.50.1'))
  const other = logIn('10.7.51.1')
  release()
  await Promise.all([begun, other, ...flood])
  expect(order.indexOf('10.7.51.1')).toBeLessThan(5)
})
