import { beforeAll, describe, expect, it } from 'vitest'
import type { LoginAnswer } from '../../../../contract/auth.ts'
import { createSemaphore } from '../../../../server/platform/semaphore.ts'
import { call } from '../../../support/apiCalls.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

let hashes = 0
let lanes: unknown[] = []
const venue = await withVenue()
const { database } = venue
const limited = await withVenue({ ticking: true, settings: { rateLimits: true } })
beforeAll(async () => {
  // Counts the calls; the hashes are still computed.
  const { passwords } = venue
  const [hash, matches] = [passwords.hash.bind(passwords), passwords.matches.bind(passwords)]
  passwords.hash = (...args) => {
    hashes += 1
    return hash(...args)
  }
  passwords.matches = (...args) => {
    hashes += 1
    lanes.push(args[2])
    return matches(...args)
  }
})

const passwords = {
  password: loginPassword,
  confirmPassword: loginPassword,
  transactionPassword: '482913',
  confirmTransactionPassword: '482913',
}
let phones = 13_700_000_000
const tokenFor = async (account: string, openingCode = 'UPTICK'): Promise<string> => {
  const body = { account, phone: String((phones += 1)), openingCode }
  return (await call<{ registerToken: string }>(venue.app, 'POST', '/auth/register/check', { body })).body
    .registerToken
}
const register = (registerToken: string, ip = '10.4.0.1') =>
  call(venue.app, 'POST', '/auth/register', { body: { ...passwords, registerToken }, ip })
const counted = async <T>(run: () => Promise<T>): Promise<[T, number]> => {
  hashes = 0
  return [await run(), hashes]
}

describe('registration', () => {
  it('computes no hash for a token whose opening code is used up', async () => {
    const code = 'AAAA1111'
    await database.pool.query(
      `INSERT INTO opening_code (code, issued_at, issued_by, uses) VALUES ('${code}', 1, 'mei', 1)`,
    )
    const [first, second] = [await tokenFor('queue_001', code), await tokenFor('queue_002', code)]
    expect((await register(first)).status).toBe(201)
    const [reply, cost] = await counted(() => register(second))
    expect([reply.status, reply.code, cost]).toEqual([422, 'OPENING_CODE_INVALID', 0])
  })

  it('computes the hashes of one account if a token is sent many times at once', async () => {
    const token = await tokenFor('queue_003')
    const [replies, cost] = await counted(() =>
      Promise.all(Array.from({ length: 12 }, (_, i) => register(token, `10.4.1.${i}`))),
    )
    expect(cost).toBe(2)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(replies.map(({ code }) => code))).toEqual(
      new Set([undefined, 'REGISTER_TOKEN_EXPIRED', 'RATE_LIMITED']),
    )
  })

  /** Registers while the hash of another registration there is being computed. */
  async function registerBehind(ip: string, tokens: readonly string[], refusedMax: number) {
    const first = await tokenFor(`held_${phones % 10_000}`)
    const hash = venue.passwords.hash.bind(venue.passwords)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    venue.passwords.hash = async (...args) => {
      await held
      return hash(...args)
    }
    const slow = register(first, ip)
    const refused: string[] = []
    const sent = tokens.map(async (token) => {
      if ((await register(token, ip)).code === 'RATE_LIMITED') refused.push(token)
    })
    try {
      // Those that are refused wait for nothing.
      await expect.poll(() => refused.length).toBe(refusedMax)
    } finally {
      release()
      venue.passwords.hash = hash
      await Promise.all([slow, ...sent])
    }
    return refused
  }

  it('leaves room to others behind an address if one token is sent there without end', async () => {
    const token = await tokenFor('crowd_0001')
    const tokens = Array.from({ length: 20 }, () => token)
    expect(await registerBehind('10.4.2.2', tokens, 15)).toHaveLength(15)
  })

  it('leaves room for log-ins behind an address however many accounts are registered there', async () => {
    const accounts = Array.from({ length: 11 }, (_, i) => tokenFor(`crowd_1${i + 10}`))
    const tokens = (await Promise.all(accounts)).flatMap((token) => Array.from({ length: 5 }, () => token))
    const last = await tokenFor('crowd_0002')
    // 48 wait, of 56; who registers but once is among them.
    expect(await registerBehind('10.4.2.3', [...tokens, last], 8)).not.toContain(last)
  })

  it('runs one at a time per address, and nobody behind it is refused', async () => {
    const tokens = await Promise.all(Array.from({ length: 40 }, (_, i) => tokenFor(`queue_1${i + 10}`)))
    let [maxRunning, running] = [0, 0]
    const queue = venue.passwords
    const hash = queue.hash.bind(queue)
    queue.hash = async (...args) => {
      maxRunning = Math.max(maxRunning, (running += 1))
      try {
        return await hash(...args)
      } finally {
        running -= 1
      }
    }
    const replies = await Promise.all(tokens.map((token) => register(token, '10.4.2.1')))
    queue.hash = hash
    expect(maxRunning).toBe(2)
    expect(replies.map(({ status }) => status)).toEqual(tokens.map(() => 201))
  })
})

describe('password requests', () => {
  const change = {
    kind: 'login',
    oldPassword: loginPassword,
    newPassword: 'battery staple 9',
    confirmPassword: 'battery staple 9',
  }

  it('compute no hash while one is under review, also if sent at once', async () => {
    const member = await venue.createMember()
    const send = () => member.send('POST', '/auth/password-requests', change)
    const [replies, cost] = await counted(() => Promise.all([send(), send(), send()]))
    expect(cost).toBe(2)
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409])
    const [again, more] = await counted(send)
    expect([again.code, more]).toEqual(['ALREADY_PENDING', 0])
  })
})

describe('lanes', () => {
  it('start jobs with priority first, and have separate queues', async () => {
    const withPermit = createSemaphore(1, { queueMax: 2 })
    const order: string[] = []
    let start = (): void => undefined
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const job = (name: string, hasPriority: boolean) =>
      withPermit(
        async () => {
          order.push(name)
          await started
        },
        { hasPriority },
      ).catch((error: unknown) => void order.push(`${name} ${String(Reflect.get(Object(error), 'code'))}`))
    const jobs = [job('a', false), job('b', false), job('c', false), job('d', false)]
    jobs.push(job('e', true), job('f', true), job('g', true))
    start()
    await Promise.all(jobs)
    expect(order.toSorted()).toEqual(['a', 'b', 'c', 'd UNAVAILABLE', 'e', 'f', 'g UNAVAILABLE'])
    expect(order.filter((name) => name.length === 1)).toEqual(['a', 'e', 'f', 'b', 'c'])
  })

  it('give priority to known devices and sessions, not to unknown devices', async () => {
    const member = await venue.createMember()
    const [row] = (
      await database.pool.query<{ account: string }>(`SELECT account FROM member WHERE id = '${member.id}'`)
    ).rows
    const body = { account: row!.account, password: loginPassword }
    lanes = []
    const first = await call<LoginAnswer>(venue.app, 'POST', '/auth/login', { body })
    const cookie = /device=[^;]+/.exec(String(first.headers['set-cookie']))?.[0] ?? ''
    await call(venue.app, 'POST', '/auth/login', { body, headers: { cookie } })
    await venue.guard.verify(member.id, 'transaction', 'wrong')
    expect(lanes).toEqual(['unknown', 'known', 'known'])
  })
})

describe('rates', () => {
  it('allow five password requests per member a minute', async () => {
    const member = await limited.registerMember()
    const statusesOf = async (count: number, send: () => Promise<{ status: number }>) => {
      const statuses: number[] = []
      for (let i = 0; i < count; i++) statuses.push((await send()).status)
      return statuses
    }
    const requestPasswords = () =>
      member.send('POST', '/auth/password-requests', {
        kind: 'login',
        oldPassword: 'x',
        newPassword: 'short',
        confirmPassword: 'short',
      })
    expect((await statusesOf(11, requestPasswords)).indexOf(429)).toBe(10)
    await limited.clock.advance(60_000)
    expect(await statusesOf(6, requestPasswords)).toEqual([400, 400, 400, 400, 400, 429])
  })
})
