import { io } from 'socket.io-client'
import { findings, type Findings } from '../findings.ts'
import { call, type Reply } from '../../support/apiCalls.ts'
import { loginPassword } from '../../support/testMembers.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

export type LogoutReport = Findings & { restMs: number; socketMs: number }

const failuresPerAccount = 4
const hashPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/

/** Reports stored hashes below OWASP's minimum for Argon2id (19 MiB, two passes, one lane). */
export async function weakHashes({
  database,
}: TickingVenue): Promise<{ tried: number; violations: string[] }> {
  const { rows } = await database.pool.query<{ hash: string }>(
    'SELECT unnest(ARRAY[password_hash, transaction_password_hash]) AS hash FROM member',
  )
  const violations = rows.flatMap(({ hash }) => {
    const [, memory, passes, lanes] = (hashPattern.exec(hash) ?? []).map(Number)
    return Number(memory) >= 19_456 && Number(passes) >= 2 && Number(lanes) >= 1 ? [] : [hash.slice(0, 30)]
  })
  return { tried: rows.length, violations }
}

/** Guesses each secret until the venue locks; `venue` has its rate limits on. A lock that comes too late is a violation. */
export async function tryBruteForce(venue: TickingVenue): Promise<{ tried: number; violations: string[] }> {
  const violations: string[] = []
  const member = await venue.registerMember()
  let tried = 0
  let address = 0
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
  const expectLockout = async (
    what: string,
    code: string,
    maxGuesses: number,
    guess: () => Promise<Reply>,
  ): Promise<void> => {
    for (let i = 0; i <= maxGuesses; i++) {
      tried += 1
      if ((await guess()).code === code) return
    }
    violations.push(`${what}: no ${code} within ${maxGuesses + 1} guesses`)
  }
  const login = (account: string, ip: string) =>
    call(venue.app, 'POST', '/auth/login', { body: { account, password: 'wrong horse 1' }, ...from(ip) })
  await expectLockout('one address, many accounts', 'WORK_REQUIRED', 10, () =>
    login(`nobody_${tried}`, '10.1.0.1'),
  )
  await expectLockout('one account, one address', 'CAPTCHA_REQUIRED', 3, () =>
    login(member.account, '10.1.0.2'),
  )
  await expectLockout('one account, many addresses', 'WORK_REQUIRED', 4, () =>
    login(member.account, `10.2.0.${(address += 1)}`),
  )
  const check = { account: 'guesser_1', phone: '13700000007', openingCode: 'GUESS' }
  await expectLockout('opening codes', 'WORK_REQUIRED', 20, () =>
    call(venue.app, 'POST', '/auth/register/check', { body: check, ...from('10.1.0.3') }),
  )
  await expectLockout('transaction password', 'TRANSACTION_PASSWORD_LOCKED', 5, () =>
    member.post('/fund/withdrawals', { amount: '10.00', mode: 'fast', transactionPassword: '975310' }),
  )
  await expectLockout('old password', 'LOCKED', 5, () =>
    member.send('POST', '/auth/password-requests', {
      kind: 'login',
      oldPassword: 'wrong horse 1',
      newPassword: 'other horse 11',
      confirmPassword: 'other horse 11',
    }),
  )
  await expectLockout('desk key', 'RATE_LIMITED', 10, () =>
    venue.office('GET', '/members', { headers: { authorization: 'Bearer wrong' } }),
  )
  return { tried, violations }
}

/** Logs out with two open sockets and measures how long the session still works for requests and for sockets. */
export async function measureLogout(venue: TickingVenue): Promise<LogoutReport> {
  const member = await venue.registerMember()
  const { found, expect } = findings()
  const extraHeaders = { cookie: `sid=${member.sid}` }
  const { url } = await venue.listen()
  const connect = () =>
    io(url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders,
    })
  const sockets = [connect(), connect()]
  await Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => socket.once('hello', () => resolve()))),
  )
  const disconnected = Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => socket.once('disconnect', () => resolve()))),
  )
  // Puts the session into the cache, which could keep it alive.
  await member.get('/me')
  const logout = await member.send('POST', '/auth/logout')
  expect(logout.status === 204, () => `log-out answered ${logout.status}`)
  const start = performance.now()
  const after = await member.get('/me')
  const restMs = performance.now() - start
  expect(after.status === 401, () => `the session answered ${after.status} after log-out`)
  await disconnected
  const socketMs = performance.now() - start
  for (const socket of sockets) expect(!socket.connected, () => 'a socket is still connected after log-out')
  const late = connect()
  const received: string[] = []
  late.onAny((event: string) => void received.push(event))
  await new Promise<void>((resolve) => late.once('hello', () => resolve()))
  expect(!received.includes('assets'), () => 'an ended session opened a member’s socket')
  late.disconnect()
  return { ...found, restMs, socketMs }
}

export type TimingReport = Findings & { knownMs: number; unknownMs: number; z: number }

/**
 * Fails to log in to existing and unknown accounts in turn, each pair from its own address. Reports how the answers
 * differ, the medians of their times, and the Mann–Whitney z of both (|z| < 3.3 is no difference at 0.1 %).
 */
export async function loginTiming(venue: TickingVenue, rounds: number): Promise<TimingReport> {
  let account = ''
  const [known, unknown]: [number[], number[]] = [[], []]
  const texts = new Set<string>()
  for (let i = 0; i < rounds; i++) {
    // After this many failures the account requires a captcha.
    if (i % failuresPerAccount === 0) ({ account } = await venue.registerMember())
    for (const [name, times] of i % 2
      ? ([
          [account, known],
          ['nobody_123', unknown],
        ] as const)
      : ([
          ['nobody_123', unknown],
          [account, known],
        ] as const)) {
      const start = performance.now()
      const body = { account: name === account ? name : `nobody_${i}`, password: `${loginPassword}${i}` }
      const reply = await call(venue.app, 'POST', '/auth/login', {
        body,
        headers: { 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` },
      })
      times.push(performance.now() - start)
      texts.add(`${reply.status} ${reply.text.replace(/"requestId":"[^"]+"/, '')}`)
      if (reply.status !== 401)
        return {
          tried: times.length,
          knownMs: 0,
          unknownMs: 0,
          z: 0,
          violations: [`round ${i}: ${reply.text}`],
        }
    }
  }
  const violations = texts.size === 1 ? [] : [...texts]
  const tried = known.length + unknown.length
  return {
    tried,
    knownMs: median(known),
    unknownMs: median(unknown),
    z: mannWhitney(known, unknown),
    violations,
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const u = a.reduce((sum, x) => sum + b.filter((y) => y < x).length, 0)
  const mean = (a.length * b.length) / 2
  return (u - mean) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
}
