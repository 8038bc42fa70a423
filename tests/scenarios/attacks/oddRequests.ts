import type { Assets } from '../../../contract/ledger.ts'
import { newKey, transactionPassword, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { enableWithdrawals } from '../../support/enableWithdrawals.ts'
import { findings, type Findings } from '../findings.ts'
import { oddValues } from '../safety/attacks.ts'
import { openAttackedVenue, type Engine } from './attackedVenue.ts'

/** Not how an amount is written, or more or less than any call takes. */
const amounts: readonly unknown[] = [
  ...oddValues,
  '1e2',
  '+1.00',
  ' 1.00',
  '1.00 ',
  '1.0',
  '1.',
  '.50',
  '01.00',
  '1,000.00',
  '1_000.00',
  '1.00\u200b',
  '1\u00a0000.00',
  '0.00',
  '0.001',
  '-1.00',
  '1.00.00',
  '1000000.00',
  `${'9'.repeat(400)}.00`,
  `1.${'0'.repeat(5000)}`,
  'Infinity',
  1,
  ['1.00'],
  { toString: '1.00' },
]
const seconds = 10
const rateBp = 8200
const order = (change: object = {}): object => ({
  productId: 'BTCUSDT',
  direction: 'up',
  amount: '1.00',
  seconds,
  rateBp,
  validUntil: Date.now() + 20_000,
  ...change,
})
/** Each call that moves money, with an amount. */
const moves: Readonly<Record<string, (amount: unknown) => object>> = {
  '/api/orders': (amount) => order({ amount }),
  '/api/deposits': (amount) => ({ methodId: 'practice', amount }),
  '/api/withdrawals': (amount) => ({ amount, transactionPassword }),
  '/api/fund/deposits': (amount) => ({ amount }),
  '/api/fund/withdrawals': (amount) => ({ amount, mode: 'fast', transactionPassword }),
}
const oddOrders = (): object[] => [
  ...[0, -1, 1e15, Date.now() - 1, Date.now() + 86_400_000, '1', 1.5, null].map((validUntil) =>
    order({ validUntil }),
  ),
  ...[0, -1, 1.5, 9, '10', 1e9, null].map((value) => order({ seconds: value })),
  ...[0, rateBp + 1, rateBp - 1, -rateBp, String(rateBp), null].map((value) => order({ rateBp: value })),
  ...['btcusdt', 'BTCUSDT ', 'BTCUSDT\u0000', '../BTCUSDT', '__proto__', 'constructor', ''].map((productId) =>
    order({ productId }),
  ),
  ...['UP', 'both', null, 1].map((direction) => order({ direction })),
  order({ payout: '9.00' }),
  order({ memberId: 'another' }),
]

/** Amounts, orders, keys and bodies that no client sends: none has an effect, none is a fault of the venue's. */
export async function sendOddRequests(main: string, engine: Engine): Promise<Findings> {
  const venue = await openAttackedVenue(main, engine, { env: { RATE_LIMITS: 'off' } })
  const { found, expect } = findings()
  try {
    const member = await venue.member()
    const other = await venue.member()
    await enableWithdrawals(member, venue.url, (method, path) => venue.desk(method, path))
    const assets = async (): Promise<string> => (await member.get<Assets>('/api/me/assets')).text
    const before = await assets()
    const refused = async (path: string, body: unknown): Promise<void> => {
      const { status, text } = await member.postWithKey(path, body)
      const sent = (JSON.stringify(body) ?? '').slice(0, 80)
      expect(status >= 400 && status < 500, () => `${path} ${sent}: ${status} ${text.slice(0, 80)}`)
    }
    for (const [path, bodyOf] of Object.entries(moves))
      for (const amount of amounts) await refused(path, bodyOf(amount))
    for (const body of oddOrders()) await refused('/api/orders', body)
    const nested = (open: string, close: string): string =>
      `{"amount":${open.repeat(9000)}1${close.repeat(9000)}}`
    for (const body of [
      nested('[', ']'),
      nested('{"a":', '}'),
      'null',
      '[]',
      '"x"',
      '1e400',
      '{',
      '{"amount":"1.00"',
    ])
      await refused('/api/deposits', body)
    const after = await assets()
    expect(after === before, () => `the assets were ${before}, now ${after}`)
    await raceKeys(member, other, expect)
  } finally {
    await venue.close()
  }
  return found
}

type Deposit = { id: string }

/** One key is one effect, whoever sends it, however it is written, and however often at once. */
async function raceKeys(
  member: BlackBoxClient,
  other: BlackBoxClient,
  expect: ReturnType<typeof findings>['expect'],
): Promise<void> {
  const deposit = (who: BlackBoxClient, key: string, amount = '7.00', path = '/api/deposits') =>
    who.postWithKey<Deposit>(path, { methodId: 'practice', amount }, key)
  const key = newKey()
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      deposit(member, i % 2 ? key : key.toUpperCase(), i % 3 ? '7.00' : '8.00'),
    ),
  )
  const made = new Set(many.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])))
  expect(made.size === 1, () => `30 requests with one key had ${made.size} effects`)
  const foreign = await deposit(other, key)
  expect(foreign.status === 201 && !made.has(foreign.body.id), () => `another member's key: ${foreign.text}`)
  const spelt = await deposit(member, key, '7.00', '/api/%64eposits')
  expect(
    spelt.status >= 400 || made.has(spelt.body.id),
    () => `the same key at another spelling of the path had another effect: ${spelt.text}`,
  )
  for (const odd of ['', ' ', 'x', 'null', `${key}a`, key.replaceAll('-', ''), `{${key}}`]) {
    const { status } = await deposit(member, odd)
    expect(status === 400, () => `the key ${JSON.stringify(odd)}: ${status}`)
  }
}
