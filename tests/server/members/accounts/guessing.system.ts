import { describe, expect, it } from 'vitest'
import type { WorkAnswer } from '../../../../contract/work.ts'
import { solveCaptcha } from '../../../support/captcha.ts'
import { call, type Reply } from '../../../support/apiCalls.ts'
import { answerWork, askedWork, withWork } from '../../../support/work.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { database, clock, secrets } = venue
const limited = await withVenue({ database, clock, secrets, settings: { rateLimits: true } })

const rightPassword = 'correct horse'
const wrongPassword = 'battery staple'
let addresses = 0
/** An address that no request has used before. */
const newAddress = (): string => `10.9.${(addresses += 1) >> 8}.${addresses & 255}`

type LoginInput = {
  account: string
  password?: string
  ip?: string
  cookie?: string
  at?: TestVenue
  work?: WorkAnswer | undefined
}
const logIn = ({
  account,
  password = wrongPassword,
  ip = newAddress(),
  cookie = '',
  at = venue,
  work,
}: LoginInput) =>
  call(at.app, 'POST', '/auth/login', {
    body: { account, password, ...(work && { work }) },
    ip,
    headers: { cookie },
  })
const outcome = ({ status, code }: Reply) => [status, code]
const badCredentials = [401, 'BAD_CREDENTIALS']
const workRequired = [422, 'WORK_REQUIRED']

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

/** So many wrong passwords, each from an address of its own, with the work that they need. */
async function guess(account: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const ip = newAddress()
    const { reply } = await withWork((work) => logIn({ account, ip, work }))
    expect(outcome(reply)).toEqual(badCredentials)
  }
}
/** Wrong passwords after which an unknown device works, and works as much as it ever will. */
const freeGuesses = 4
const guessesToMost = 8

describe('wrong passwords of one account from many addresses', () => {
  it('double the work of the next one, up to two seconds of a phone', async () => {
    await openAccount('works_0001')
    await guess('works_0001', freeGuesses)
    const tries: number[] = []
    for (let i = 0; i < 7; i++) {
      const ip = newAddress()
      const reply = await logIn({ account: 'works_0001', ip })
      expect(outcome(reply)).toEqual(workRequired)
      tries.push(askedWork(reply).tries)
      const work = answerWork(reply)
      expect(outcome(await logIn({ account: 'works_0001', ip, work }))).toEqual(badCredentials)
    }
    expect(tries).toEqual([16, 32, 64, 128, 256, 256, 256])
  })

  it('make the right password work once too, and one of an account that does not exist the same', async () => {
    await openAccount('works_0002')
    for (const account of ['works_0002', 'nobody_002']) await guess(account, freeGuesses)
    const replies = []
    for (const account of ['works_0002', 'nobody_002'])
      replies.push(await logIn({ account, password: rightPassword }))
    const shapes = replies.map(({ status, code, params }) => [
      status,
      code,
      Object.entries(params?.['work'] ?? {}).map(([name, value]) => [name, typeof value]),
      (params?.['work'] as { id: string } | undefined)?.id.length,
    ])
    expect(shapes[0]).toEqual(shapes[1])
    const ip = newAddress()
    const { reply, works } = await withWork((work) =>
      logIn({ account: 'works_0002', password: rightPassword, ip, work }),
    )
    expect([reply.status, works]).toEqual([200, 1])
  })

  it('do not count without the work', async () => {
    await openAccount('works_0003')
    await guess('works_0003', freeGuesses)
    for (let i = 0; i < 20; i++) expect(outcome(await logIn({ account: 'works_0003' }))).toEqual(workRequired)
    expect(askedWork(await logIn({ account: 'works_0003' })).tries).toBe(16)
    const ip = newAddress()
    const { reply } = await withWork((work) =>
      logIn({ account: 'works_0003', password: rightPassword, ip, work }),
    )
    expect(reply.status).toBe(200)
    expect(askedWork(await logIn({ account: 'works_0003' })).tries).toBe(16)
  })

  it('a thousand of them keep the owner out on a new phone for one work, which is done while they go on', async () => {
    await openAccount('works_0004')
    const codes: unknown[] = []
    for (let i = 0; i < 20; i++) {
      const some = Array.from({ length: 50 }, () => logIn({ account: 'works_0004' }))
      codes.push(...(await Promise.all(some)).map(({ code }) => code))
    }
    expect(codes.filter((code) => code === 'BAD_CREDENTIALS')).toHaveLength(freeGuesses)
    expect(codes.filter((code) => code === 'WORK_REQUIRED')).toHaveLength(1000 - freeGuesses)
    const phone = { account: 'works_0004', password: rightPassword, ip: newAddress() }
    const asked = await logIn(phone)
    const work = answerWork(asked)
    // Meanwhile strangers with the patience to work make it as much as it gets.
    await guess('works_0004', guessesToMost)
    expect(askedWork(await logIn({ account: 'works_0004' })).tries).toBe(256)
    expect((await logIn({ ...phone, work })).status).toBe(200)
  })

  it('are forgotten an hour after the last one', async () => {
    await guess('works_0005', freeGuesses + 2)
    await venue.clock.jumpBy(3_600_001)
    expect(outcome(await logIn({ account: 'works_0005' }))).toEqual(badCredentials)
  })
})

describe('an answer', () => {
  /** A challenge of this account and address, with the right answer. */
  const asked = async (account: string, ip: string) => {
    const reply = await logIn({ account, ip })
    return { work: askedWork(reply), answer: answerWork(reply) }
  }

  it('counts once, for two minutes, for its account and its address', async () => {
    await openAccount('answers_01')
    await guess('answers_01', freeGuesses)
    await guess('answers_02', freeGuesses)
    const [ip, otherIp] = [newAddress(), newAddress()]
    const { work, answer } = await asked('answers_01', ip)
    const own = { account: 'answers_01', password: rightPassword, ip }
    const ofOther = await asked('answers_02', ip)
    const refused: [string, LoginInput][] = [
      ['of another account', { ...own, work: ofOther.answer }],
      ['of another address', { ...own, ip: otherIp, work: answer }],
      ['that is the target', { ...own, work: { id: work.id, key: work.target } }],
      ['of another challenge', { ...own, work: { id: work.id, key: ofOther.answer.key } }],
      ['without a key', { ...own, work: { id: work.id, key: '' } }],
      ['in other letters', { ...own, work: { id: work.id, key: 'é'.repeat(32) } }],
      ['without a challenge', { ...own, work: { id: 'AAAA', key: answer.key } }],
    ]
    for (const [what, input] of refused)
      expect([what, ...outcome(await logIn(input))]).toEqual([what, ...workRequired])
    expect((await logIn({ ...own, work: answer })).status).toBe(200)
    expect(outcome(await logIn({ ...own, work: answer }))).toEqual(workRequired)
    const late = await asked('answers_01', ip)
    await venue.clock.advance(120_001)
    expect(outcome(await logIn({ ...own, work: late.answer }))).toEqual(workRequired)
  })

  it('is used up by a wrong password, and one of less work then counts no more from there', async () => {
    await openAccount('answers_03')
    await guess('answers_03', freeGuesses)
    const ip = newAddress()
    const cheap = await Promise.all(Array.from({ length: 3 }, () => asked('answers_03', ip)))
    const send = (answer: WorkAnswer) => logIn({ account: 'answers_03', ip, work: answer })
    expect(outcome(await send(cheap[0]!.answer))).toEqual(badCredentials)
    expect(outcome(await send(cheap[0]!.answer))).toEqual(workRequired)
    expect(askedWork(await send(cheap[1]!.answer)).tries).toBe(32)
  })

  it('of eight log-ins at once counts for one', async () => {
    await guess('answers_04', freeGuesses)
    const ip = newAddress()
    const { answer } = await asked('answers_04', ip)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => logIn({ account: 'answers_04', ip, work: answer })),
    )
    expect(replies.filter(({ code }) => code === 'BAD_CREDENTIALS')).toHaveLength(1)
  })
})

it('a correct captcha stays valid while the device works and is consumed by the log-in', async () => {
  const ip = newAddress()
  const account = 'captcha_01'
  for (let i = 0; i < 3; i++) await logIn({ account, ip })
  await guess(account, 1)
  const captcha = await solveCaptcha(venue)
  const send = (work?: WorkAnswer) =>
    call(venue.app, 'POST', '/auth/login', {
      body: { account, password: wrongPassword, ...captcha, ...(work && { work }) },
      ip,
    })
  const { reply, works } = await withWork(send)
  expect([works, ...outcome(reply)]).toEqual([1, ...badCredentials])
  expect((await send()).code).toBe('CAPTCHA_WRONG')
})

describe('a known device', () => {
  it('never works for what others do, after a log-in or a registration', async () => {
    const registered = await openAccount('device_001')
    const before = await logIn({ account: 'device_001', password: rightPassword })
    await guess('device_001', guessesToMost)
    for (const cookie of [registered, deviceCookie(before)]) {
      expect((await logIn({ account: 'DEVICE_001', password: rightPassword, cookie })).status).toBe(200)
    }
    expect(outcome(await logIn({ account: 'device_001', password: rightPassword }))).toEqual(workRequired)
  })

  it('is known only for its account, for a year, and by a tag of the venue', async () => {
    const own = await openAccount('device_002')
    const others = await openAccount('device_003')
    await guess('device_002', freeGuesses)
    const id = own.split('.')[0]!
    const forged = [others, `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`, id, 'device=', `${id}.x~y`]
    forged.push(`${others.split('.')[0]}.${own.split('.')[1]}`)
    for (const cookie of forged) {
      const reply = await logIn({ account: 'device_002', password: rightPassword, cookie })
      expect(outcome(reply)).toEqual(workRequired)
    }
    await venue.clock.jumpBy(365 * 86_400_000)
    await guess('device_002', freeGuesses)
    const late = await logIn({ account: 'device_002', password: rightPassword, cookie: own })
    expect(outcome(late)).toEqual(workRequired)
  })

  it('remembers the last five accounts', async () => {
    let cookie = ''
    const names = [1, 2, 3, 4, 5, 6].map((n) => `family_00${n}`)
    for (const name of names) cookie = await openAccount(name, cookie)
    const known: number[] = []
    for (const account of names) {
      await guess(account, freeGuesses)
      known.push((await logIn({ account, password: rightPassword, cookie })).status)
    }
    expect(known).toEqual([422, 200, 200, 200, 200, 200])
  })

  it('has its own count of failures', async () => {
    const cookie = await openAccount('device_004')
    const ip = newAddress()
    for (let i = 0; i < 3; i++) await logIn({ account: 'device_004', ip })
    expect((await logIn({ account: 'device_004', ip })).code).toBe('CAPTCHA_REQUIRED')
    for (let i = 0; i < 3; i++) expect((await logIn({ account: 'device_004', ip, cookie })).status).toBe(401)
    expect((await logIn({ account: 'device_004', cookie })).code).toBe('CAPTCHA_REQUIRED')
  })

  it('is locked by ten failures of its own, and no other device with it', async () => {
    const cookie = await openAccount('device_005')
    const other = deviceCookie(await logIn({ account: 'device_005', password: rightPassword }))
    for (let i = 0; i < 10; i++) {
      const captcha = i < 3 ? {} : await solveCaptcha(venue)
      const body = { account: 'device_005', password: wrongPassword, ...captcha }
      const reply = await call(venue.app, 'POST', '/auth/login', { body, headers: { cookie } })
      expect(outcome(reply)).toEqual(badCredentials)
    }
    const right = { account: 'device_005', password: rightPassword }
    expect((await logIn({ ...right, cookie })).params).toEqual({ retryAfterMs: 900_000 })
    expect((await logIn({ ...right, cookie: other })).status).toBe(200)
    expect((await logIn(right)).status).toBe(200)
  })

  it('works like an unknown one after ten log-ins in a minute, whoever else is at its address', async () => {
    const cookie = await openAccount('device_006')
    const other = await openAccount('device_007')
    const ip = newAddress()
    const send = (account: string, own: string, work?: WorkAnswer) =>
      logIn({ account, password: rightPassword, ip, cookie: own, at: limited, work })
    for (let i = 0; i < 10; i++) expect((await send('device_006', cookie)).status).toBe(200)
    const { reply, works } = await withWork((work) => send('device_006', cookie, work))
    expect([reply.status, works]).toEqual([200, 1])
    expect((await send('device_007', other)).status).toBe(200)
    await limited.clock.advance(60_000)
    expect((await send('device_006', cookie)).status).toBe(200)
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

it('after ten failures at one address only unknown devices at that address work', async () => {
  const cookie = await openAccount('sprayed_01')
  const ip = newAddress()
  const spray = (i: number, work?: WorkAnswer) => logIn({ account: `spray_${i}`, ip, at: limited, work })
  for (let i = 100; i < 110; i++) expect(outcome(await spray(i))).toEqual(badCredentials)
  const tries: number[] = []
  for (let i = 110; i < 113; i++) {
    const reply = await spray(i)
    tries.push(askedWork(reply).tries)
    expect(outcome(await spray(i, answerWork(reply)))).toEqual(badCredentials)
  }
  expect(tries).toEqual([16, 32, 64])
  const member = { account: 'sprayed_01', password: rightPassword, at: limited }
  expect(outcome(await logIn({ ...member, ip }))).toEqual(workRequired)
  expect((await logIn(member)).status).toBe(200)
  expect((await logIn({ ...member, ip, cookie })).status).toBe(200)
})

describe('forty people behind one address', () => {
  const people = Array.from({ length: 40 }, (_, i) => `nat_${100 + i}`)

  it('log in while somebody there sends registrations and forgotten passwords without end', async () => {
    const ip = newAddress()
    await openAccount('nat_000001')
    const flood = async (path: string, body: object): Promise<void> => {
      const codes: unknown[] = []
      while (codes.at(-1) !== 'RATE_LIMITED' && codes.length < 1000)
        codes.push((await call(limited.app, 'POST', path, { body, ip })).code)
      expect(codes.at(-1)).toBe('RATE_LIMITED')
    }
    const passwords = { password: rightPassword, confirmPassword: rightPassword }
    const digits = { transactionPassword: '135790', confirmTransactionPassword: '135790' }
    await flood('/auth/register', { registerToken: 'none', ...passwords, ...digits })
    await flood('/auth/recoveries/complete', {
      code: 'none',
      newPassword: rightPassword,
      confirmPassword: rightPassword,
    })
    const { reply } = await withWork((work) =>
      logIn({ account: 'nat_000001', password: rightPassword, ip, at: limited, work }),
    )
    expect(reply.status).toBe(200)
  })

  it('open accounts and log in within a second: some work, none is refused', async () => {
    const ip = newAddress()
    const before = limited.clock.now()
    const works = { registration: 0, logIn: 0 }
    for (const account of people) {
      const step1 = { account, phone: String((phones += 1)), openingCode: 'UPTICK' }
      const checked = await withWork((work) => {
        const request = { body: { ...step1, ...(work && { work }) }, ip }
        return call<{ registerToken: string }>(limited.app, 'POST', '/auth/register/check', request)
      })
      const { registerToken } = checked.reply.body
      const passwords = { password: rightPassword, confirmPassword: rightPassword }
      const digits = { transactionPassword: '135790', confirmTransactionPassword: '135790' }
      const body = { registerToken, ...passwords, ...digits }
      expect((await call(limited.app, 'POST', '/auth/register', { body, ip })).status).toBe(201)
      // On another device than that of the registration.
      const logged = await withWork((work) =>
        logIn({ account, password: rightPassword, ip, at: limited, work }),
      )
      expect(logged.reply.status).toBe(200)
      works.registration += checked.works
      works.logIn += logged.works
    }
    expect(works).toEqual({ registration: 20, logIn: 30 })
    expect(limited.clock.now()).toBe(before)
  })

  it('log in without work where the operator says that many share addresses', async () => {
    const { clock, secrets } = venue
    const free = { registrationsAnHour: 20, forgottenPasswordsAnHour: 20 }
    const operatorConfig = { freePerAddress: { ...free, logInsAMinute: 1000 } }
    const settings = { rateLimits: true }
    const raised = await withVenue({ database: venue.database, clock, secrets, settings, operatorConfig })
    const ip = newAddress()
    for (const account of people)
      expect((await logIn({ account, password: rightPassword, ip, at: raised })).status).toBe(200)
  })

  it('ask for new passwords: some work, none is refused', async () => {
    const ip = newAddress()
    const ask = (work?: WorkAnswer) =>
      call(limited.app, 'POST', '/auth/recoveries', {
        body: { kind: 'login', account: 'nat_100', phone: '13800000000', ...(work && { work }) },
        ip,
      })
    const replies = []
    // A crowd that opens accounts uses up nothing of it.
    const account = { account: 'nat_101', phone: '13800000001', openingCode: 'NOPE' }
    const register = (body: object) => call(limited.app, 'POST', '/auth/register/check', { body, ip })
    for (let i = 0; i < 450; i++) await register(i < 22 ? account : {})
    for (let i = 0; i < 22; i++) replies.push(await withWork(ask))
    expect(replies.map(({ reply }) => reply.status)).toEqual(replies.map(() => 202))
    expect(replies.filter(({ works }) => works === 1)).toHaveLength(2)
  })
})
