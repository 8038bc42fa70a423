import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../server/db/open.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { solveCaptcha } from '../../support/captcha.ts'
import { call } from '../../support/apiCalls.ts'
import type { Reply } from '../../support/apiCalls.ts'
import { openTestVenue } from '../../support/testVenue.ts'
import type { TestVenue } from '../../support/testVenue.ts'

let database: Database
let venue: TestVenue
let limited: TestVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTestVenue(database)
  limited = await openTestVenue(database, { secrets: venue.secrets, settings: { rateLimits: true } })
})
afterAll(async () => {
  await venue.close()
  await limited.close()
  await database.close()
})

const rightPassword = 'correct horse'
const wrongPassword = 'battery staple'
let addresses = 0
/** An address that no request has used before. */
const newAddress = (): string => `10.9.${(addresses += 1) >> 8}.${addresses & 255}`

type LoginInput = { account: string; password?: string; ip?: string; cookie?: string; at?: TestVenue }
const logIn = ({
  account,
  password = wrongPassword,
  ip = newAddress(),
  cookie = '',
  at = venue,
}: LoginInput) =>
  call(at.app, 'POST', '/auth/login', { body: { account, password }, ip, headers: { cookie } })
const outcome = ({ status, code, params }: Reply) => [status, code, params?.['retryAfterMs']]
const badCredentials = [401, 'BAD_CREDENTIALS', undefined]

/** The device cookie of an answer, as a browser sends it back. */
const deviceCookie = (reply: Reply): string =>
  /device=[^;]+/.exec(String(reply.headers['set-cookie']))?.[0] ?? ''

let phones = 13_900_000_000
/** Opens an account and returns the device cookie. */
async function openAccount(account: string, cookie = ''): Promise<string> {
  const step1 = { account, phone: String((phones += 1)), openingCode: 'UPTICK' }
  const { body } = await call<{ registerToken: string }>(venue.app, 'POST', '/auth/register/check', {
    body: step1,
  })
  const reply = await call(venue.app, 'POST', '/auth/register', {
    body: {
      registerToken: body.registerToken,
      password: rightPassword,
      confirmPassword: rightPassword,
      transactionPassword: '135790',
      confirmTransactionPassword: '135790',
    },
    headers: { cookie },
  })
  expect(reply.status).toBe(201)
  return deviceCookie(reply)
}

/** Fails until the next unknown device has to wait for `ms`. */
async function failUntilWait(account: string, ms: number): Promise<void> {
  for (let tries = 0; tries < 30; tries++) {
    const reply = await logIn({ account })
    if (reply.status !== 429) continue
    if (reply.params?.['retryAfterMs'] === ms) return
    await venue.clock.advance(Number(reply.params?.['retryAfterMs']))
  }
  throw new Error(`no wait of ${ms} ms within 30 tries`)
}

describe('failed log-ins of one account from many addresses', () => {
  it('double the wait up to half a minute', async () => {
    await openAccount('waits_0001')
    for (let i = 0; i < 4; i++)
      expect(outcome(await logIn({ account: 'waits_0001' }))).toEqual(badCredentials)
    const waits: unknown[] = []
    for (let i = 0; i < 7; i++) {
      const reply = await logIn({ account: 'waits_0001' })
      expect([reply.status, reply.code]).toEqual([429, 'RATE_LIMITED'])
      const ms = Number(reply.params?.['retryAfterMs'])
      expect(reply.headers['retry-after']).toBe(String(ms / 1000))
      waits.push(ms)
      await venue.clock.advance(ms - 1)
      expect(outcome(await logIn({ account: 'waits_0001' }))).toEqual([429, 'RATE_LIMITED', 1])
      await venue.clock.advance(1)
      expect(outcome(await logIn({ account: 'waits_0001' }))).toEqual(badCredentials)
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  it('make the right password wait too, and also if the account does not exist', async () => {
    await openAccount('waits_0002')
    for (const account of ['waits_0002', 'nobody_002']) await failUntilWait(account, 1000)
    for (const account of ['waits_0002', 'nobody_002']) {
      expect(outcome(await logIn({ account, password: rightPassword }))).toEqual([429, 'RATE_LIMITED', 1000])
    }
    await venue.clock.advance(1000)
    expect((await logIn({ account: 'waits_0002', password: rightPassword })).status).toBe(200)
  })

  it('do not extend the wait during it, and a successful log-in is not counted', async () => {
    await openAccount('waits_0003')
    await failUntilWait('waits_0003', 4000)
    for (let i = 0; i < 5; i++) await logIn({ account: 'waits_0003' })
    await venue.clock.advance(4000)
    expect((await logIn({ account: 'waits_0003', password: rightPassword })).status).toBe(200)
    expect(outcome(await logIn({ account: 'waits_0003' }))).toEqual(badCredentials)
    expect(outcome(await logIn({ account: 'waits_0003' }))).toEqual([429, 'RATE_LIMITED', 8000])
  })
})

it('a correct captcha stays valid during the wait and is consumed by the log-in', async () => {
  const ip = newAddress()
  const account = 'captcha_01'
  for (let i = 0; i < 3; i++) await logIn({ account, ip })
  await failUntilWait(account, 1000)
  const captcha = await solveCaptcha(venue)
  const send = () =>
    call(venue.app, 'POST', '/auth/login', { body: { account, password: wrongPassword, ...captcha }, ip })
  expect(outcome(await send())).toEqual([429, 'RATE_LIMITED', 1000])
  await venue.clock.advance(1000)
  expect(outcome(await send())).toEqual(badCredentials)
  expect((await send()).code).toBe('CAPTCHA_WRONG')
})

describe('a known device', () => {
  it('never waits, after a log-in or a registration', async () => {
    const registered = await openAccount('device_001')
    const before = await logIn({ account: 'device_001', password: rightPassword })
    await failUntilWait('device_001', 30_000)
    for (const cookie of [registered, deviceCookie(before)]) {
      expect((await logIn({ account: 'DEVICE_001', password: rightPassword, cookie })).status).toBe(200)
    }
    expect((await logIn({ account: 'device_001', password: rightPassword })).status).toBe(429)
  })

  it('is known only for its account, for a year, and by a tag of the venue', async () => {
    const own = await openAccount('device_002')
    const others = await openAccount('device_003')
    await failUntilWait('device_002', 2000)
    const id = own.split('.')[0]!
    const forged = [others, `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`, id, 'device=', `${id}.x~y`]
    forged.push(`${others.split('.')[0]}.${own.split('.')[1]}`)
    for (const cookie of forged) {
      expect((await logIn({ account: 'device_002', password: rightPassword, cookie })).status).toBe(429)
    }
    await venue.clock.jumpBy(365 * 86_400_000)
    await failUntilWait('device_002', 2000)
    expect((await logIn({ account: 'device_002', password: rightPassword, cookie: own })).status).toBe(429)
  })

  it('remembers the last five accounts', async () => {
    let cookie = ''
    const names = [1, 2, 3, 4, 5, 6].map((n) => `family_00${n}`)
    for (const name of names) cookie = await openAccount(name, cookie)
    const known: number[] = []
    for (const account of names) {
      await failUntilWait(account, 1000)
      known.push((await logIn({ account, password: rightPassword, cookie })).status)
    }
    expect(known).toEqual([429, 200, 200, 200, 200, 200])
  })

  it('has its own count of failures', async () => {
    const cookie = await openAccount('device_004')
    const ip = newAddress()
    for (let i = 0; i < 3; i++) await logIn({ account: 'device_004', ip })
    expect((await logIn({ account: 'device_004', ip })).code).toBe('CAPTCHA_REQUIRED')
    for (let i = 0; i < 3; i++) expect((await logIn({ account: 'device_004', ip, cookie })).status).toBe(401)
    expect((await logIn({ account: 'device_004', cookie })).code).toBe('CAPTCHA_REQUIRED')
  })
})

it('concurrent log-ins are counted like sequential ones', async () => {
  await openAccount('parallel_1')
  const ip = newAddress()
  const replies = await Promise.all(Array.from({ length: 30 }, () => logIn({ account: 'parallel_1', ip })))
  const checked = replies.filter(({ code }) => code === 'BAD_CREDENTIALS')
  expect(checked).toHaveLength(3)
  const spread = await Promise.all(Array.from({ length: 30 }, () => logIn({ account: 'parallel_2' })))
  expect(spread.filter(({ code }) => code === 'BAD_CREDENTIALS')).toHaveLength(4)
})

it('a log-in that fails with an internal error is not counted', async () => {
  await openAccount('faulty_001')
  const { passwords } = venue.members
  const matches = passwords.matches.bind(passwords)
  passwords.matches = () => Promise.reject(new Error('no memory'))
  const ip = newAddress()
  for (let i = 0; i < 5; i++) expect((await logIn({ account: 'faulty_001', ip })).status).toBe(500)
  passwords.matches = matches
  expect(outcome(await logIn({ account: 'faulty_001', ip }))).toEqual(badCredentials)
})

it('accounts match only by exact spelling, ignoring ASCII case', async () => {
  await openAccount('ivi_000001')
  for (const account of ['İvi_000001', 'İVİ_000001', 'ıvi_000001', ' ivi_000001', 'ｉvi_000001']) {
    expect(outcome(await logIn({ account, password: rightPassword }))).toEqual(badCredentials)
  }
  expect((await logIn({ account: 'IVI_000001', password: rightPassword })).status).toBe(200)
  const ip = newAddress()
  for (const account of ['ivi_000001', 'IVI_000001', 'Ivi_000001']) await logIn({ account, ip })
  expect((await logIn({ account: 'iVI_000001', ip })).code).toBe('CAPTCHA_REQUIRED')
})

it('after ten failures at one address only unknown devices at that address wait', async () => {
  const cookie = await openAccount('sprayed_01')
  const ip = newAddress()
  const spray = (i: number) => logIn({ account: `spray_${i}`, ip, at: limited })
  for (let i = 100; i < 110; i++) {
    // Slow enough for the limit of log-ins from one address.
    await limited.clock.advance(6000)
    expect(outcome(await spray(i))).toEqual(badCredentials)
  }
  const waits: unknown[] = []
  for (let i = 110; i < 114; i++) {
    const { params } = await spray(i)
    waits.push(params?.['retryAfterMs'])
    await limited.clock.advance(Number(params?.['retryAfterMs']))
    expect(outcome(await spray(i))).toEqual(badCredentials)
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000])
  const member = { account: 'sprayed_01', password: rightPassword, at: limited }
  expect((await logIn({ ...member, ip })).status).toBe(429)
  expect((await logIn(member)).status).toBe(200)
  expect((await logIn({ ...member, ip, cookie })).status).toBe(200)
})
