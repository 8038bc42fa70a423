import { afterAll, beforeAll, expect, it } from 'vitest'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { Route } from '../../../contract/route.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { openBackOfficeVenue, transactionPassword } from '../../support/backOfficeVenue.ts'
import type { BackOfficeVenue } from '../../support/backOfficeVenue.ts'
import type { MemberClient } from '../../support/testVenue.ts'
import { bankAccount } from '../../support/walletVenue.ts'

/** What nobody may write from the desk: prices, orders and their results, and rates. */
const untouchable = new Set([
  'bucket_hour',
  'feed_gap',
  'feed_product',
  'feed_source',
  'minute_row',
  'orders',
  'tick_batch',
  'tick_chunk',
])
/** A member's balance follows from what the member asked for: these decide it. */
const movesMoney = new Set(['deposits.approve', 'withdrawals.approve', 'withdrawals.reject'])
const money = new Set(['balance', 'hold_resolution', 'posting'])

type Act = {
  path?: string
  body?: unknown
  /** Tables that the call changes; none for a look that nobody records. */
  writes: readonly string[]
}
type Prepare = (venue: BackOfficeVenue, member: MemberClient) => Promise<Act>

const deposited = async (member: MemberClient): Promise<string> =>
  (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '60.00' })).body.id
const submitted = async (venue: BackOfficeVenue, member: MemberClient): Promise<string> => {
  await venue.submitVerification(member)
  return member.id
}
const asked = async (member: MemberClient): Promise<string> => {
  const passwords = {
    oldPassword: 'correct horse 7',
    newPassword: 'new horse 12',
    confirmPassword: 'new horse 12',
  }
  return (await member.post<{ id: string }>('/auth/password-requests', { kind: 'login', ...passwords })).body
    .id
}
const bound = async (member: MemberClient): Promise<string> => {
  const answer = await member.send<{ account: { id: string } }>('POST', '/withdrawal-account', bankAccount)
  return answer.body.account.id
}
const withdrawn = async (venue: BackOfficeVenue, member: MemberClient): Promise<string> => {
  await bound(member)
  await venue.backOffice('POST', `/deposits/${await deposited(member)}/approve`)
  await venue.backOffice('POST', `/verifications/${await submitted(venue, member)}/approve`)
  const placed = await member.post<Withdrawal>('/withdrawals', { amount: '20.00', transactionPassword })
  return placed.body.id
}
const reason = { reason: 'No' }
const look = { writes: [] } as const
const file = '---\nlang: en\ntitle: X\n---\nText'

/** Every call of the desk with the tables that it writes. A new call has to be added here. */
const acts: Record<string, Prepare> = {
  'codes.list': async () => look,
  'codes.issue': async () => ({ body: {}, writes: ['audit', 'opening_code'] }),
  'codes.revoke': async (venue) => ({
    path: await venue.issueOpeningCode(),
    writes: ['audit', 'opening_code'],
  }),
  'deposits.list': async () => look,
  'deposits.show': async (_house, member) => ({ path: await deposited(member), ...look }),
  'deposits.approve': async (_house, member) => ({
    path: await deposited(member),
    writes: ['audit', 'balance', 'deposit', 'message', 'posting'],
  }),
  'deposits.reject': async (_house, member) => ({
    path: await deposited(member),
    body: reason,
    writes: ['audit', 'deposit', 'message'],
  }),
  'withdrawals.list': async () => look,
  'withdrawals.show': async (venue, member) => ({ path: await withdrawn(venue, member), writes: ['audit'] }),
  'withdrawals.approve': async (venue, member) => ({
    path: await withdrawn(venue, member),
    writes: ['audit', 'balance', 'hold_resolution', 'message', 'posting', 'withdrawal'],
  }),
  'withdrawals.reject': async (venue, member) => ({
    path: await withdrawn(venue, member),
    body: reason,
    writes: ['audit', 'balance', 'hold_resolution', 'message', 'posting', 'withdrawal'],
  }),
  'verifications.list': async () => look,
  'verifications.show': async (venue, member) => ({
    path: await submitted(venue, member),
    writes: ['audit'],
  }),
  'verifications.approve': async (venue, member) => ({
    path: await submitted(venue, member),
    writes: ['audit', 'member', 'message', 'verification'],
  }),
  'verifications.reject': async (venue, member) => ({
    path: await submitted(venue, member),
    body: reason,
    writes: ['audit', 'member', 'message', 'verification'],
  }),
  'password-requests.list': async () => look,
  'password-requests.show': async (_house, member) => ({ path: await asked(member), ...look }),
  'password-requests.approve': async (_house, member) => ({
    path: await asked(member),
    writes: ['audit', 'member', 'message', 'password_request'],
  }),
  'password-requests.reject': async (_house, member) => ({
    path: await asked(member),
    body: reason,
    writes: ['audit', 'message', 'password_request'],
  }),
  'withdrawal-accounts.unbind': async (_house, member) => ({
    path: await bound(member),
    writes: ['audit', 'member', 'message', 'withdrawal_account'],
  }),
  'members.list': async () => look,
  'members.show': async (_house, member) => ({ path: member.id, writes: ['audit'] }),
  'members.level': async (_house, member) => ({
    path: member.id,
    body: { level: 3 },
    writes: ['audit', 'member'],
  }),
  'members.credit': async (_house, member) => ({
    path: member.id,
    body: { creditScore: 1 },
    writes: ['audit', 'member'],
  }),
  'site.show': async () => look,
  'site.maintenance': async () => ({ writes: ['audit', 'setting'] }),
  'site.open': async () => ({ writes: ['audit', 'setting'] }),
  'products.list': async () => look,
  'products.maintenance': async () => ({ path: 'BTCUSDT', writes: ['audit', 'product_state'] }),
  'products.open': async () => ({ path: 'BTCUSDT', writes: ['audit', 'product_state'] }),
  'news.publish': async () => ({ body: { file }, writes: ['article', 'article_text', 'audit'] }),
  'highlights.publish': async () => ({ body: { file }, writes: ['article', 'article_text', 'audit'] }),
  'messages.send': async (_house, member) => ({
    body: { to: member.id, title: 'A', body: 'B' },
    writes: ['audit', 'message'],
  }),
  'service.list': async () => look,
  'service.show': async (_house, member) => ({ path: member.id, writes: ['audit'] }),
  'service.reply': async (_house, member) => ({
    path: member.id,
    body: { body: 'Hello' },
    writes: ['audit', 'message', 'service_message'],
  }),
  'uploads.show': async (venue, member) => ({
    path: await venue.upload(member, 'id_front'),
    writes: ['audit'],
  }),
  'audit.list': async () => look,
  'clock.show': async () => look,
  // Practice alone: with its own test below.
  'clock.advance': async () => look,
}

let database: Database
let venue: BackOfficeVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openBackOfficeVenue(database, { live: true })
})
afterAll(async () => {
  await venue.close()
  await database.close()
})

/** What each table holds, as a hash: whatever a call writes, however it does, shows here. */
async function contents(of: Database): Promise<Map<string, string>> {
  const tables = await of.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  )
  const found = new Map<string, string>()
  for (const { name } of tables.rows) {
    const { rows } = await of.pool.query<{ hash: string }>(
      `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM "${name}" t`,
    )
    found.set(name, rows[0]!.hash)
  }
  return found
}
const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name)
const auditRows = async (of: Database): Promise<number> =>
  (await of.pool.query<{ rows: number }>('SELECT count(*)::int AS rows FROM audit')).rows[0]!.rows

const calls = Object.entries(backOfficeRoutes).flatMap(([noun, verbs]) =>
  Object.entries(verbs as Record<string, Route>).map(([verb, route]) => ({ name: `${noun}.${verb}`, route })),
)

it('every call of the desk stands in the table, and none of them may write what nobody may', () => {
  expect(Object.keys(acts).sort()).toEqual(calls.map(({ name }) => name).sort())
})

it.each(calls.filter(({ name }) => name !== 'clock.advance'))(
  '$name writes its own tables, and one record of it',
  async ({ name, route }) => {
    const member = await venue.registerMember()
    const { path = '', body, writes } = await acts[name]!(venue, member)
    expect(writes.filter((table) => untouchable.has(table))).toEqual([])
    if (!movesMoney.has(name)) expect(writes.filter((table) => money.has(table))).toEqual([])
    const before = await contents(database)
    const recorded = await auditRows(database)
    const url = route.path.replace(':id', path)
    const answer = await venue.backOffice(route.method as 'GET' | 'POST', url, { body })
    expect([answer.status, answer.code]).toEqual([route.status, undefined])
    expect(changed(before, await contents(database)).sort()).toEqual([...writes].sort())
    expect((await auditRows(database)) - recorded).toBe(writes.length > 0 ? 1 : 0)
  },
)

it('a refused act leaves nothing, no record either', async () => {
  const member = await venue.registerMember()
  const before = await contents(database)
  for (const [path, body] of [
    ['/deposits/none/approve', undefined],
    [`/verifications/${member.id}/approve`, undefined],
    [`/members/${member.id}/level`, { level: 9 }],
    ['/products/NONE/maintenance', undefined],
    ['/messages', { to: 'nobody', title: 'A', body: 'B' }],
    [`/withdrawal-accounts/${member.id}/unbind`, undefined],
    ['/clock/advance', { ms: 1000 }],
    ['/news', { file: 'nothing' }],
  ] as const) {
    expect((await venue.backOffice('POST', path, { body })).status).toBeGreaterThanOrEqual(400)
  }
  expect(changed(before, await contents(database))).toEqual([])
})

it('practice: the calendar moves with one record, each day once, and no price or order with it', async () => {
  const own = await openMemoryDatabase()
  const practice = await openBackOfficeVenue(own)
  try {
    const member = await practice.registerMember()
    await member.post('/fund/deposits', { amount: '1000.00' })
    const prices = await contents(own)
    const recorded = await auditRows(own)
    const days = 5
    const moved = await practice.backOffice<{ businessOffsetMs: number; businessOn: string }>(
      'POST',
      '/clock/advance',
      {
        body: { ms: days * 86_400_000 },
        as: null,
      },
    )
    expect(moved.body).toMatchObject({ businessOffsetMs: days * 86_400_000, businessOn: '2026-01-10' })
    const config = await member.get<{ businessOffsetMs: number }>('/config')
    expect(config.body.businessOffsetMs).toBe(days * 86_400_000)
    const fund = await member.get<{ confirmed: string; totalEarnings: string }>('/fund')
    expect(Number(fund.body.confirmed)).toBeGreaterThan(1000)
    expect(changed(prices, await contents(own)).filter((table) => untouchable.has(table))).toEqual([])
    expect((await auditRows(own)) - recorded).toBe(1)
    const acts = await practice.backOffice<{ items: object[] }>('GET', '/audit?limit=1')
    expect(acts.body.items[0]).toMatchObject({
      actor: 'desk',
      act: 'advance',
      details: { ms: days * 86_400_000, from: 0 },
    })
    for (const ms of [0, -1, 1.5, 401 * 86_400_000]) {
      expect((await practice.backOffice('POST', '/clock/advance', { body: { ms } })).status).toBe(400)
    }
    expect((await auditRows(own)) - recorded).toBe(1)
  } finally {
    await practice.close()
    await own.close()
  }
})
