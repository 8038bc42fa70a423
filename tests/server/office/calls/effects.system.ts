import { expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { minor } from '../../../../contract/units.ts'
import type { Route } from '../../../../contract/route.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { ArticleKind } from '../../../../server/office/schema.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { bankAccount } from '../../../support/payments.ts'
import type { TickingVenue } from '../../../support/tickingVenue.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

/** Tables that no office route may write: prices, orders and their results, and rates. */
const protectedTables = new Set([
  'bucket_hour',
  'feed_gap',
  'feed_product',
  'feed_source',
  'minute_row',
  'operator_setting',
  'orders',
  'product_terms',
  'tick_batch',
  'tick_chunk',
])
/** The routes that change a member's balance, by deciding on the member's request. */
const movesMoney = new Set([
  'deposits.approve',
  'withdrawals.approve',
  'withdrawals.reject',
  'withdrawals.pay',
])
const moneyTables = new Set(['balance', 'hold_resolution', 'posting'])

type Act = {
  path?: string
  query?: string
  body?: unknown
  /** Tables that the request changes; none for a read without a row of the act log. */
  writes: readonly string[]
}
type Prepare = (venue: TickingVenue, member: MemberClient) => Promise<Act>

const placeDeposit = async (member: MemberClient): Promise<string> =>
  (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '60.00' })).body.id
const submitVerification = async (venue: TickingVenue, member: MemberClient): Promise<string> => {
  await venue.submitVerification(member)
  return member.id
}
const requestPassword = async (member: MemberClient): Promise<string> => {
  const passwords = {
    oldPassword: 'correct horse 7',
    newPassword: 'new horse 12',
    confirmPassword: 'new horse 12',
  }
  return (await member.post<{ id: string }>('/auth/password-requests', { kind: 'login', ...passwords })).body
    .id
}
const bindAccount = async (member: MemberClient): Promise<string> => {
  const answer = await member.send<{ account: { id: string } }>('POST', '/withdrawal-account', bankAccount)
  return answer.body.account.id
}
const placeWithdrawal = async (venue: TickingVenue, member: MemberClient): Promise<string> => {
  await bindAccount(member)
  await venue.office('POST', `/deposits/${await placeDeposit(member)}/approve`)
  await venue.office('POST', `/verifications/${await submitVerification(venue, member)}/approve`)
  const placed = await member.post<Withdrawal>('/withdrawals', { amount: '20.00', transactionPassword })
  return placed.body.id
}
const firstDuration = async (member: MemberClient) => {
  const { body } = await member.get<{ durations: { seconds: number; rateBp: number }[] }>('/products/BTCUSDT')
  const [{ seconds, rateBp } = { seconds: 0, rateBp: 0 }] = body.durations
  return { seconds, rateBp }
}
const placeOrder = async (venue: TickingVenue, member: MemberClient): Promise<string> => {
  const order = {
    productId: 'BTCUSDT',
    direction: 'up',
    amount: '10.00',
    ...(await firstDuration(member)),
    validUntil: venue.clock.now() + 10_000,
  }
  await venue.office('POST', `/deposits/${await placeDeposit(member)}/approve`)
  const placed = await member.post<{ id: string }>('/orders', order)
  expect([placed.status, placed.code]).toEqual([201, undefined])
  return placed.body.id
}
const settledOrder = async (venue: TickingVenue, member: MemberClient): Promise<string> => {
  const id = await placeOrder(venue, member)
  const { seconds } = await firstDuration(member)
  await venue.clock.advance((seconds + 2) * 1000)
  return id
}
const freeze = async (venue: TickingVenue, member: MemberClient): Promise<string> => {
  await venue.freezes.freeze(member.id, { reason: 'death', tellMember: true }, 'lan', async () => undefined)
  return member.id
}
let staffCount = 0
const createStaff = async (venue: TickingVenue): Promise<string> => {
  const body = { name: `clerk-${(staffCount += 1)}`, role: 'support' }
  return (await venue.office<{ staff: { id: string } }>('POST', '/staff', { body })).body.staff.id
}
const reason = { reason: 'No' }
const readOnly = { writes: [] } as const
let publishCount = 0
/** The acts on one kind of what is published; its id is new for each, but those of pages are fixed. */
const publishedActs = (noun: string, kind: ArticleKind): Record<string, Prepare> => {
  const id = () => (kind === 'page' ? 'risk' : `${kind}-${(publishCount += 1)}`)
  const file = (article: string, text: string) => `---\nid: ${article}\nlang: en\ntitle: X\n---\n${text}`
  const publishTwice = async (venue: TickingVenue): Promise<string> => {
    const article = id()
    await venue.content.versions.publish(kind, file(article, 'A'), 'lan')
    await venue.content.versions.publish(kind, file(article, `B ${(publishCount += 1)}`), 'lan')
    return article
  }
  const writes = ['article', 'article_text', 'audit', 'content_version']
  return {
    [`${noun}.publish`]: async () => ({ body: { file: file(id(), 'Text') }, writes }),
    [`${noun}.versions`]: async (venue) => ({ path: await publishTwice(venue), ...readOnly }),
    [`${noun}.version`]: async (venue) => ({ path: await publishTwice(venue), ...readOnly }),
    [`${noun}.republish`]: async (venue) => ({ path: await publishTwice(venue), writes }),
  }
}

/** Every office route with the tables that it writes. A new route has to be added here. */
const acts: Record<string, Prepare> = {
  'codes.list': async () => readOnly,
  'codes.issue': async () => ({ body: {}, writes: ['audit', 'opening_code'] }),
  'codes.revoke': async (venue) => ({
    path: await venue.issueOpeningCode(),
    writes: ['audit', 'opening_code'],
  }),
  'deposits.list': async () => ({ writes: ['audit'] }),
  'deposits.show': async (_venue, member) => ({ path: await placeDeposit(member), writes: ['audit'] }),
  'deposits.approve': async (_venue, member) => ({
    path: await placeDeposit(member),
    writes: ['audit', 'balance', 'deposit', 'lone_decision', 'message', 'posting'],
  }),
  'deposits.reject': async (_venue, member) => ({
    path: await placeDeposit(member),
    body: reason,
    writes: ['audit', 'deposit', 'message'],
  }),
  'withdrawals.list': async () => ({ writes: ['audit'] }),
  'withdrawals.show': async (venue, member) => ({
    path: await placeWithdrawal(venue, member),
    writes: ['audit'],
  }),
  'withdrawals.approve': async (venue, member) => ({
    path: await placeWithdrawal(venue, member),
    writes: ['audit', 'balance', 'hold_resolution', 'lone_decision', 'message', 'posting', 'withdrawal'],
  }),
  'withdrawals.reject': async (venue, member) => ({
    path: await placeWithdrawal(venue, member),
    body: reason,
    writes: ['audit', 'balance', 'hold_resolution', 'message', 'posting', 'withdrawal'],
  }),
  'withdrawals.pay': async (venue, member) => {
    const path = await placeWithdrawal(venue, member)
    await venue.withdrawals.office.approve(path, 'lan')
    return {
      path,
      body: { reference: 'B-1' },
      writes: ['audit', 'balance', 'hold_resolution', 'lone_decision', 'message', 'posting', 'withdrawal'],
    }
  },
  'verifications.list': async () => ({ writes: ['audit'] }),
  'verifications.show': async (venue, member) => ({
    path: await submitVerification(venue, member),
    writes: ['audit'],
  }),
  'verifications.approve': async (venue, member) => ({
    path: await submitVerification(venue, member),
    writes: ['audit', 'member', 'message', 'verification'],
  }),
  'verifications.reject': async (venue, member) => ({
    path: await submitVerification(venue, member),
    body: reason,
    writes: ['audit', 'member', 'message', 'verification'],
  }),
  'verifications.revoke': async (venue, member) => {
    const path = await submitVerification(venue, member)
    await venue.verifications.office.approve(path, 'lan')
    return { path, body: reason, writes: ['audit', 'member', 'message', 'verification'] }
  },
  'password-requests.list': async () => ({ writes: ['audit'] }),
  'password-requests.show': async (_venue, member) => ({
    path: await requestPassword(member),
    writes: ['audit'],
  }),
  'password-requests.approve': async (_venue, member) => ({
    path: await requestPassword(member),
    writes: ['audit', 'member', 'message', 'password_request'],
  }),
  'password-requests.reject': async (_venue, member) => ({
    path: await requestPassword(member),
    body: reason,
    writes: ['audit', 'message', 'password_request'],
  }),
  'withdrawal-accounts.unbind': async (_venue, member) => ({
    path: await bindAccount(member),
    writes: ['audit', 'member', 'message', 'withdrawal_account'],
  }),
  'members.list': async () => ({ writes: ['audit'] }),
  // It shows the phone number, which only a registration seals.
  'members.show': async (venue) => ({ path: (await venue.registerMember()).id, writes: ['audit'] }),
  'members.facts': async (venue) => ({ path: (await venue.registerMember()).id, writes: ['audit'] }),
  'members.level': async (_venue, member) => ({
    path: member.id,
    body: { level: 3 },
    writes: ['audit', 'member'],
  }),
  'members.credit': async (_venue, member) => ({
    path: member.id,
    body: { creditScore: 1 },
    writes: ['audit', 'member'],
  }),
  'members.orders': async (_venue, member) => ({ path: member.id, writes: ['audit'] }),
  'members.ledger': async (_venue, member) => ({ path: member.id, writes: ['audit'] }),
  'members.fund': async (_venue, member) => ({ path: member.id, writes: ['audit'] }),
  'members.sessions': async (_venue, member) => ({ path: member.id, writes: ['audit'] }),
  'members.identity': async (venue, member) => ({
    path: await submitVerification(venue, member),
    writes: ['audit'],
  }),
  'members.timeline': async (_venue, member) => ({ path: member.id, writes: ['audit'] }),
  'members.notes': async (_venue, member) => ({ path: member.id, writes: ['audit'] }),
  'members.note': async (_venue, member) => ({
    path: member.id,
    body: { body: 'Called' },
    writes: ['audit', 'member_note'],
  }),
  'members.end-sessions': async (_venue, member) => ({ path: member.id, writes: ['audit', 'session'] }),
  'members.freeze': async (_venue, member) => ({
    path: member.id,
    body: { reason: 'theft_reported' },
    writes: ['audit', 'member_freeze', 'message', 'session'],
  }),
  'members.renew-freeze': async (venue, member) => ({
    path: await freeze(venue, member),
    writes: ['audit', 'member_freeze', 'message'],
  }),
  'members.unfreeze': async (venue, member) => ({
    path: await freeze(venue, member),
    writes: ['audit', 'member_freeze', 'message'],
  }),
  'search.find': async (_venue, member) => ({ body: { q: member.id }, writes: ['audit'] }),
  'orders.show': async (venue, member) => ({ path: await placeOrder(venue, member), writes: ['audit'] }),
  'orders.proof': async (venue, member) => ({ path: await settledOrder(venue, member), writes: ['audit'] }),
  // A claim is no decision and no look at a member: it leaves no row of the act log. What a queue shows is a look, and what
  // one has decided oneself today has its rows already.
  'queues.list': async () => readOnly,
  'queues.show': async () => ({ path: 'deposits', writes: ['audit'] }),
  'queues.decided': async () => ({ path: 'deposits', ...readOnly }),
  'queues.next': async (venue, member) => {
    await placeWithdrawal(venue, member)
    return { path: 'withdrawals', writes: ['audit', 'queue_claim'] }
  },
  'queues.claim': async (_venue, member) => ({
    path: 'deposits',
    body: { item: await placeDeposit(member) },
    writes: ['queue_claim'],
  }),
  'queues.release': async () => ({ path: 'deposits', body: { item: 'none' }, ...readOnly }),
  'proposals.list': async () => ({ writes: ['audit'] }),
  // With the key nobody decides: tests/server/office/staff/fourEyes.test.ts.
  'proposals.confirm': async () => readOnly,
  'proposals.decline': async () => readOnly,
  'proposals.cancel': async () => readOnly,
  'site.show': async () => readOnly,
  'site.maintenance': async () => ({ writes: ['audit', 'setting'] }),
  'site.open': async () => ({ writes: ['audit', 'setting'] }),
  'products.list': async () => readOnly,
  'products.maintenance': async () => ({ path: 'BTCUSDT', writes: ['audit', 'product_state'] }),
  'products.open': async () => ({ path: 'BTCUSDT', writes: ['audit', 'product_state'] }),
  'limits.show': async () => readOnly,
  'limits.withdrawals': async () => ({ body: { twoPersonsAbove: '500.00' }, writes: ['audit', 'setting'] }),
  ...publishedActs('news', 'news'),
  ...publishedActs('highlights', 'highlight'),
  ...publishedActs('pages', 'page'),
  'messages.send': async (_venue, member) => ({
    body: { to: member.id, title: 'A', body: 'B' },
    writes: ['audit', 'message'],
  }),
  'service.list': async () => ({ writes: ['audit'] }),
  'service.show': async (_venue, member) => ({ path: member.id, writes: ['audit'] }),
  'service.done': async (_venue, member) => {
    await member.send('POST', '/service/messages', { body: 'Thank you' })
    return { path: member.id, writes: ['audit', 'service_message'] }
  },
  'service.reopen': async (venue, member) => {
    await member.send('POST', '/service/messages', { body: 'Thank you' })
    await venue.service.office.done(member.id, 'test')
    return { path: member.id, writes: ['audit', 'service_message'] }
  },
  'service.reply': async (_venue, member) => ({
    path: member.id,
    body: { body: 'Hello' },
    writes: ['audit', 'message', 'service_message'],
  }),
  'uploads.show': async (venue, member) => ({
    path: await venue.upload(member, 'id_front'),
    writes: ['audit'],
  }),
  'audit.list': async () => ({ writes: ['audit'] }),
  'accounting.actions': async () => ({ query: 'day=2026-01-05', writes: ['audit'] }),
  'accounting.movements': async () => ({ query: 'day=2026-01-05', writes: ['audit'] }),
  'clock.show': async () => readOnly,
  'staff.list': async () => readOnly,
  'staff.create': async () => ({
    body: { name: `clerk-${(staffCount += 1)}`, role: 'finance' },
    writes: ['audit', 'staff'],
  }),
  'staff.role': async (venue) => ({
    path: await createStaff(venue),
    body: { role: 'content' },
    writes: ['audit', 'staff'],
  }),
  'staff.disable': async (venue) => ({ path: await createStaff(venue), writes: ['audit', 'staff'] }),
  'staff.enrol': async (venue) => ({ path: await createStaff(venue), writes: ['audit', 'staff'] }),
  'staff.reset-factors': async (venue) => ({ path: await createStaff(venue), writes: ['audit', 'staff'] }),
  // A form: tests/server/office/staff/pictures.test.ts.
  'service.picture': async () => readOnly,
  // Only in practice mode, tested below.
  'clock.advance': async () => readOnly,
}

const venue = await withVenue({ ticking: true, live: true })
const { database } = venue

let hashQuery = ''
/** A hash of each table's content, which shows every write: in one query, as one for each table takes most of the time. */
async function hashTables(of: Database): Promise<Map<string, string>> {
  if (hashQuery === '') {
    const { rows } = await of.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
    )
    hashQuery = rows
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM "${name}" t`,
      )
      .join(' UNION ALL ')
  }
  const { rows } = await of.pool.query<{ name: string; hash: string }>(hashQuery)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}
const changedTables = (before: Map<string, string>, after: Map<string, string>): string[] =>
  // The links of the act log's chain change with each of its rows: tests/server/notices/actLog/actChain.test.ts.
  [...after]
    .filter(([name, hash]) => !name.startsWith('audit_') && before.get(name) !== hash)
    .map(([name]) => name)
const auditRows = async (of: Database): Promise<number> =>
  (await of.pool.query<{ rows: number }>('SELECT count(*)::int AS rows FROM audit')).rows[0]!.rows

const calls = Object.entries(officeRoutes).flatMap(([noun, verbs]) =>
  Object.entries(verbs as Record<string, Route>).map(([verb, route]) => ({ name: `${noun}.${verb}`, route })),
)

it('every back office route is listed', () => {
  expect(Object.keys(acts).sort()).toEqual(calls.map(({ name }) => name).sort())
})

const notTried = /^(clock\.advance|service\.picture|proposals\.(confirm|decline|cancel))$/
it.each(calls.filter(({ name }) => !notTried.test(name)))(
  '$name writes only its own tables and one audit row',
  async ({ name, route }) => {
    const member = await venue.createMember(minor(0))
    const { path = '', query = '', body, writes } = await acts[name]!(venue, member)
    expect(writes.filter((table) => protectedTables.has(table))).toEqual([])
    if (!movesMoney.has(name)) expect(writes.filter((table) => moneyTables.has(table))).toEqual([])
    const before = await hashTables(database)
    const recorded = await auditRows(database)
    const url = `${route.path.replace(':id', path).replace(':version', '1')}?${query}`
    const answer = await venue.office(route.method as 'GET' | 'POST', url, { body })
    expect([answer.status, answer.code]).toEqual([route.status, undefined])
    expect(changedTables(before, await hashTables(database)).sort()).toEqual([...writes].sort())
    expect((await auditRows(database)) - recorded).toBe(writes.includes('audit') ? 1 : 0)
  },
)

it('a rejected request changes nothing and writes no audit row', async () => {
  const member = await venue.registerMember()
  const before = await hashTables(database)
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
    expect((await venue.office('POST', path, { body })).status).toBeGreaterThanOrEqual(400)
  }
  expect(changedTables(before, await hashTables(database))).toEqual([])
})

it('advancing the calendar writes one audit row and changes no price or order', async () => {
  const own = await withDatabase()
  const practice = await withVenue({ ticking: true, database: own })
  const member = await practice.registerMember()
  await member.post('/fund/deposits', { amount: '1000.00' })
  const prices = await hashTables(own)
  const recorded = await auditRows(own)
  const days = 5
  const advanced = await practice.office<{ businessOffsetMs: number; businessOn: string }>(
    'POST',
    '/clock/advance',
    {
      body: { ms: days * 86_400_000 },
      as: null,
    },
  )
  expect(advanced.body).toMatchObject({ businessOffsetMs: days * 86_400_000, businessOn: '2026-01-10' })
  const config = await member.get<{ businessOffsetMs: number }>('/config')
  expect(config.body.businessOffsetMs).toBe(days * 86_400_000)
  const fund = await member.get<{ confirmed: string; totalEarnings: string }>('/fund')
  expect(Number(fund.body.confirmed)).toBeGreaterThan(1000)
  expect(changedTables(prices, await hashTables(own)).filter((table) => protectedTables.has(table))).toEqual(
    [],
  )
  expect((await auditRows(own)) - recorded).toBe(1)
  const acts = await practice.office<{ items: object[] }>('GET', '/audit?limit=1')
  expect(acts.body.items[0]).toMatchObject({
    actor: 'desk',
    act: 'advance',
    details: { ms: days * 86_400_000, from: 0 },
  })
  const shown = await auditRows(own)
  for (const ms of [0, -1, 1.5, 401 * 86_400_000]) {
    expect((await practice.office('POST', '/clock/advance', { body: { ms } })).status).toBe(400)
  }
  expect(await auditRows(own)).toBe(shown)
})
