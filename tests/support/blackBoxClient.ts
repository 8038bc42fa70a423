/**
 * A client written from the contract's text, not from the project's code: its own requests, chain, rule R1, recording
 * arithmetic and CSV reader, all independent of the code under test. It imports types of the contract, never values.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { WireTick } from '../../contract/chain.ts'
import type { Order } from '../../contract/orders.ts'
import type { Gap, SettleSource } from '../../contract/settle.ts'

type Options = { body?: unknown; headers?: Record<string, string>; key?: string; token?: boolean }
export type Answer<T> = {
  status: number
  body: T
  code: string | undefined
  fields: Record<string, string> | undefined
  params: Record<string, unknown> | undefined
  replayed: boolean
  headers: Headers
  text: string
}
type ErrorBody = {
  error?: { code: string; fields?: Record<string, string>; params?: Record<string, unknown> }
}

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
export const newKey = (): string => randomUUID()

/** A browser of one member, or of a visitor; with another client's session it is that member again. */
export function blackBoxClient(url: string, session = { cookie: '', token: '', setCookie: '' }) {
  const call = async <T>(method: string, path: string, options: Options = {}): Promise<Answer<T>> => {
    const { body, key, token = true } = options
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(session.cookie !== '' && { cookie: session.cookie }),
        ...(token && method !== 'GET' && session.token !== '' && { 'x-csrf-token': session.token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...options.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json: unknown = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null
    const error = (json as ErrorBody | null)?.error
    return {
      status: response.status,
      body: json as T,
      code: error?.code,
      fields: error?.fields,
      params: error?.params,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      headers: response.headers,
      text,
    }
  }
  return {
    session,
    call,
    get: <T>(path: string) => call<T>('GET', path),
    /** A request that moves money, with a new key unless one is passed. */
    postWithKey: <T>(path: string, body?: unknown, key = newKey()) => call<T>('POST', path, { body, key }),
    login: async (account: string, password: string): Promise<Answer<{ token: string; user: object }>> => {
      const answer = await call<{ token: string; user: object }>('POST', '/api/auth/login', {
        body: { account, password },
      })
      session.setCookie = answer.headers.getSetCookie()[0] ?? ''
      session.cookie = session.setCookie.split(';', 1)[0] ?? ''
      session.token = answer.body.token
      return answer
    },
  }
}
export type BlackBoxClient = ReturnType<typeof blackBoxClient>

export const password = 'Gr8-enough!'
export const transactionPassword = '135791'

/** Opens an account with the practice code and logs in. */
export async function registerMember(url: string, account: string, phone: string): Promise<BlackBoxClient> {
  const client = blackBoxClient(url)
  const check = await client.call<{ registerToken: string }>('POST', '/api/auth/register/check', {
    body: { account, phone, openingCode: 'UPTICK' },
  })
  const { registerToken } = check.body
  const passwords = { password, confirmPassword: password, transactionPassword }
  const body = { registerToken, ...passwords, confirmTransactionPassword: transactionPassword }
  const opened = await client.call('POST', '/api/auth/register', { body })
  const login = await client.login(account, password)
  if (opened.status !== 201 || login.status !== 200) throw new Error(`${opened.text} ${login.text}`)
  return client
}

/** The head after some ticks, by the contract's definition. */
export const extendChain = (head: string, productId: string, ticks: readonly WireTick[]): string =>
  ticks.reduce((hash, tick) => sha([hash, productId, ...tick].join('|')), head)

/** The whole digits of a decimal text: `"1.05"` → 105n. */
export const digits = (text: string): bigint => BigInt(text.replace('.', ''))
export const cents = (money: string): number => Number(digits(money))
const decimals = (units: bigint, scale: number): string => {
  const text = String(units).padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}
const money = (units: bigint): string => (units < 0n ? `-${decimals(0n - units, 2)}` : decimals(units, 2))

/** The outcome of an order by the contract's rule R1. */
export function expectedOutcome(
  order: Order,
  ticks: readonly WireTick[],
  gaps: readonly Gap[],
  sources: readonly SettleSource[],
) {
  const { acceptedAt, direction, terms } = order
  // A source covers the ticks after its `sinceAt` up to the next source's; ticks of another source do not count.
  const changedSource = sources.findIndex(({ sinceAt, fingerprint }, i) => {
    const until = sources[i + 1]?.sinceAt ?? Number.POSITIVE_INFINITY
    return fingerprint !== terms.source && sinceAt < order.closeAt && until > acceptedAt
  })
  const changedAt = changedSource < 0 ? null : Math.max(acceptedAt, sources[changedSource]!.sinceAt)
  const closeAt = changedAt ?? order.closeAt
  const stake = digits(order.amount)
  const limit = acceptedAt + terms.entryTimeoutMs < closeAt ? acceptedAt + terms.entryTimeoutMs : closeAt
  const entry = ticks.find(([, at]) => at > acceptedAt && at <= limit) ?? null
  const exit = entry === null ? null : (ticks.findLast(([, at]) => at <= closeAt) ?? null)
  const missed = (after: number, until: number): boolean =>
    gaps.some(({ from, to }) => from < until && (to === null || to > after))
  const down = missed(acceptedAt, entry?.[1] ?? limit) || (exit !== null && missed(exit[1], closeAt))
  const fill = (tick: WireTick | null) => tick && { seq: tick[0], at: tick[1], price: tick[2] }
  const outcome = (status: string, reason: string | null, payout: bigint) => ({
    status,
    reason,
    entry: fill(entry),
    exit: fill(exit),
    payout: money(payout),
    pnl: money(payout - stake),
  })
  if (changedAt !== null) return outcome('refunded', 'SOURCE_CHANGED', stake)
  if (down) return outcome('refunded', 'FEED_DOWN', stake)
  if (entry === null || exit === null) return outcome('refunded', 'NO_ENTRY', stake)
  if (entry[0] === exit[0]) return outcome('refunded', 'ONE_TICK', stake)
  if (closeAt - exit[1] > terms.maxTickGapMs) return outcome('refunded', 'STALE_EXIT', stake)
  const move = digits(exit[2]) - digits(entry[2])
  if (move === 0n) return outcome('tied', null, stake)
  if (move > 0n !== (direction === 'up')) return outcome('lost', null, 0n)
  return outcome('won', null, stake + (stake * BigInt(terms.rateBp)) / 10_000n)
}

type Row = { at: number; price: bigint; size: string }

/** The replay of a recording as docs/protocol.md describes it, in integers throughout. */
export function expectedReplay(
  file: string,
  priceDecimals: number,
  pauseMs: number,
  closedPauseMs: number,
  periodMs?: number,
) {
  const rows = readRows(file, priceDecimals)
  const sessions: Row[][] = [[]]
  for (const [i, row] of rows.entries()) {
    if (i > 0 && row.at - rows[i - 1]!.at > pauseMs) sessions.push([])
    sessions.at(-1)!.push(row)
  }
  const playedSessions = sessions.length > 1 ? sessions.filter((session) => session.length >= 100) : sessions
  const schedule: Row[] = []
  const pauses: [number, number][] = []
  let recorded = playedSessions[0]![0]!.at
  let clock = 0
  for (const session of playedSessions) {
    const silence = session[0]!.at - recorded
    if (schedule.length > 0) pauses.push([clock, clock + Math.min(silence, closedPauseMs || silence)])
    clock = pauses.at(-1)?.[1] ?? 0
    schedule.push(...session.map((row) => ({ ...row, at: clock + row.at - session[0]!.at })))
    clock = schedule.at(-1)!.at
    recorded = session.at(-1)!.at
  }
  const [first, last] = [schedule[0]!.price, schedule.at(-1)!.price]
  const period = periodMs ?? clock + 1000
  const recordedPass = periodMs === undefined ? 0 : 1
  return {
    pauses,
    period,
    length: schedule.length,
    /** The nth tick of the endless replay, as `[at, price, size]`. */
    tick: (epoch: number, n: number): [number, string, string] => {
      const pass = Math.floor(n / schedule.length)
      const { at, price, size } = schedule[n - pass * schedule.length]!
      const shown = pass % 2 === recordedPass ? price : (2n * last * first + price) / (2n * price)
      return [epoch + pass * period + at, decimals(shown, priceDecimals), size]
    },
  }
}

function readRows(file: string, priceDecimals: number): Row[] {
  const rows: Row[] = []
  const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString().split('\n')
  for (const [i, line] of lines.entries()) {
    const fields = line.split(',')
    const [at = '', trade = '', size = '', bid = '', ask = ''] = fields
    if (fields.length !== header.split(',').length) continue
    // Nothing follows the last line feed, so this row has none.
    if (fields.length === 5 && trade === '' && ask !== '' && i === lines.length - 1) continue
    const price = trade === '' ? midPrice(bid, ask, priceDecimals) : roundedPrice(trade, priceDecimals)
    const late = rows.length > 0 && Number(at) < rows.at(-1)!.at
    if (!/^\d+$/.test(at) || price <= 0n || late) continue
    rows.push({ at: Number(at), price, size: trade === '' ? '1' : canonicalSize(size) })
  }
  return rows
}

const number = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/
/** In units of 10^-12. */
const scaled = (text: string): bigint => {
  const [, whole = '', fraction = '', exponent = '0'] = number.exec(text) ?? []
  const shift = 12 - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  return shift < 0 ? digits / 10n ** BigInt(-shift) : digits * 10n ** BigInt(shift)
}
const halfUp = (units: bigint, priceDecimals: number): bigint => {
  const unit = 10n ** BigInt(12 - priceDecimals)
  return (2n * units + unit) / (2n * unit)
}
const roundedPrice = (text: string, priceDecimals: number): bigint =>
  number.test(text) ? halfUp(scaled(text), priceDecimals) : 0n

function midPrice(bid: string, ask: string, priceDecimals: number): bigint {
  if (!number.test(bid) || !number.test(ask)) return 0n
  const unit = 2n * 10n ** BigInt(12 - priceDecimals)
  return (2n * (scaled(bid) + scaled(ask)) + unit) / (2n * unit)
}

/** No sign, exponent or trailing zeros, at most eight decimals. */
function canonicalSize(size: string): string {
  return decimals(scaled(size) / 10_000n, 8).replace(/\.?0+$/, '')
}

/** Parses quoted CSV into cells. */
export function parseCsvCells(csv: string): string[][] {
  const lines = csv.split('\r\n').filter((line) => line !== '')
  return lines.map((line) => {
    const cells = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)]
    return cells.map(([, cell = '']) => cell.replaceAll('""', '"'))
  })
}
