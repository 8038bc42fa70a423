import { describe, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { OfficeMember, OfficeProduct, IssuedCode } from '../../../../contract/office/views.ts'
import type { Article, Message, ServiceMessage } from '../../../../contract/content.ts'
import type { Product } from '../../../../contract/products.ts'
import type { User } from '../../../../contract/member.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Verification } from '../../../../contract/verification.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { ActLogEntry } from '../../../../server/notices/actLog/actLog.ts'
import { call, type ListAnswer, type MemberClient } from '../../../support/apiCalls.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { bankAccount, bankDetails } from '../../../support/payments.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ ticking: true, live: true })

const post = <T = Record<string, never>>(path: string, body?: unknown) =>
  venue.office<T>('POST', path, { body })
const get = <T = Record<string, never>>(path: string) => venue.office<T>('GET', path)
const newestAct = async () => (await get<ListAnswer<ActLogEntry>>('/audit?limit=1')).body.items[0]
const messagesOf = async (member: MemberClient) =>
  (await member.get<ListAnswer<Message>>('/messages')).body.items

/** A member with an approved deposit. */
async function createFundedMember(amount = '500.00') {
  const member = await venue.registerMember()
  const placed = await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount })
  await post(`/deposits/${placed.body.no}/approve`)
  return member
}
async function createWithdrawal() {
  const member = await createFundedMember()
  await member.send('POST', '/withdrawal-account', bankAccount)
  await venue.submitVerification(member)
  await post(`/verifications/${member.id}/approve`)
  const placed = await member.post<Withdrawal>('/withdrawals', { amount: '200.00', transactionPassword })
  expect(placed.status).toBe(201)
  return { member, placed: placed.body }
}

describe('codes', () => {
  it('open accounts, and the list counts them', async () => {
    const issued = await post<IssuedCode>('/codes', {})
    expect(issued).toMatchObject({ status: 201, body: { uses: null, opened: 0, issuedBy: 'mei' } })
    const { code } = issued.body
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
    await venue.registerMember(code)
    await venue.registerMember(code.toLowerCase())
    const listed = await get<ListAnswer<IssuedCode>>('/codes?limit=1')
    expect(listed.body).toMatchObject({ items: [{ code, opened: 2 }] })
    expect(officeRoutes.codes.list.answer.parse(listed.body)).toEqual(listed.body)
    expect(JSON.stringify(await newestAct())).not.toContain(code)
  })

  it('for one account open only one, also for concurrent registrations', async () => {
    const { code } = (await post<IssuedCode>('/codes', { uses: 1 })).body
    const check = (account: string, phone: string) =>
      call<{ registerToken: string }>(venue.app, 'POST', '/auth/register/check', {
        body: { account, phone, openingCode: code },
      })
    const checked = [await check('racer001', '13900000001'), await check('racer002', '13900000002')]
    const replies = await Promise.all(
      checked.map(({ body: { registerToken } }) =>
        call(venue.app, 'POST', '/auth/register', {
          body: {
            registerToken,
            password: 'correct horse 8',
            confirmPassword: 'correct horse 8',
            transactionPassword,
            confirmTransactionPassword: transactionPassword,
          },
        }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 422]))
    expect((await check('racer003', '13900000003')).code).toBe('OPENING_CODE_INVALID')
  })

  it('open no account once revoked, also for a started registration, and are revoked once', async () => {
    const { code } = (await post<IssuedCode>('/codes', {})).body
    await venue.registerMember(code)
    const check = (account: string, phone: string) =>
      call<{ registerToken: string }>(venue.app, 'POST', '/auth/register/check', {
        body: { account, phone, openingCode: code },
      })
    const checked = await check('begun001', '13900000004')
    const revoked = await post<IssuedCode>(`/codes/${code.toLowerCase()}/revoke`)
    expect(revoked).toMatchObject({ status: 200, body: { code, opened: 1, revokedBy: 'mei' } })
    expect(officeRoutes.codes.revoke.answer.parse(revoked.body)).toEqual(revoked.body)
    expect((await get<ListAnswer<IssuedCode>>('/codes?limit=1')).body.items).toEqual([revoked.body])
    const act = await newestAct()
    expect(act).toMatchObject({ actor: 'mei', act: 'revoke', subject: { kind: 'opening-code' } })
    expect(JSON.stringify(act)).not.toContain(code)
    const opened = await call(venue.app, 'POST', '/auth/register', {
      body: {
        registerToken: checked.body.registerToken,
        password: 'correct horse 8',
        confirmPassword: 'correct horse 8',
        transactionPassword,
        confirmTransactionPassword: transactionPassword,
      },
    })
    expect(opened).toMatchObject({ status: 422, code: 'OPENING_CODE_INVALID' })
    expect((await check('begun002', '13900000005')).code).toBe('OPENING_CODE_INVALID')
    expect(await post(`/codes/${code}/revoke`)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(await post('/codes/NONE/revoke')).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  it('cannot change in the database except for one revocation', async () => {
    const { code } = (await post<IssuedCode>('/codes', { uses: 2 })).body
    const write = (sql: string) => venue.database.pool.query(`${sql} WHERE code = $1`, [code])
    const dbError = { code: '23001' }
    await expect(write('UPDATE opening_code SET uses = 3')).rejects.toMatchObject(dbError)
    await expect(write('DELETE FROM opening_code')).rejects.toMatchObject(dbError)
    await expect(
      write("UPDATE opening_code SET revoked_at = 1, revoked_by = 'mei', uses = NULL"),
    ).rejects.toMatchObject(dbError)
    await post(`/codes/${code}/revoke`)
    await expect(write('UPDATE opening_code SET revoked_at = NULL, revoked_by = NULL')).rejects.toMatchObject(
      dbError,
    )
  })

  it.each([0, -1, 1.5, '3'])('cannot be issued for %s accounts', async (uses) => {
    expect(await post('/codes', { uses })).toMatchObject({ status: 400, code: 'VALIDATION' })
  })
})

describe('deposits', () => {
  it('are approved by their number and credited when the request returns', async () => {
    const member = await venue.registerMember()
    const proofUploadId = await venue.upload(member, 'deposit_proof')
    const body = { methodId: 'bank-1', amount: '120.50', proofUploadId }
    const { id, no } = (await member.post<Deposit>('/deposits', body)).body
    const waiting = await get<ListAnswer<Deposit>>('/deposits?status=under_review&limit=1')
    expect(waiting.body.items).toMatchObject([{ id, no, amount: '120.50' }])
    expect(await get(`/deposits/${no}`)).toMatchObject({ body: { id, memberId: member.id, proofUploadId } })

    const approved = await post(`/deposits/${no.toLowerCase()}/approve`)
    expect(approved).toMatchObject({ status: 200, body: { id, status: 'successful', decidedBy: 'mei' } })
    expect(officeRoutes.deposits.approve.answer.parse(approved.body)).toEqual(approved.body)
    expect((await venue.assetsOf(member)).available).toBe('120.50')
    expect(await newestAct()).toMatchObject({
      actor: 'mei',
      act: 'approve',
      subject: { kind: 'deposit', id },
      memberId: member.id,
    })
    expect((await messagesOf(member))[0]).toMatchObject({ key: 'depositSuccessful' })
    expect(await post(`/deposits/${id}/reject`, { reason: 'Late' })).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    })
  })

  it('are rejected only with a reason, which the member sees', async () => {
    const member = await venue.registerMember()
    const { id } = (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '50.00' })).body
    for (const body of [undefined, {}, { reason: '' }, { reason: '   ' }, { reason: '\u200b' }]) {
      expect(await post(`/deposits/${id}/reject`, body)).toMatchObject({
        status: 400,
        fields: { reason: 'REQUIRED' },
      })
    }
    expect((await post(`/deposits/${id}/reject`, { reason: ' No such transfer ' })).status).toBe(200)
    const [seen] = (await member.get<ListAnswer<Deposit>>('/deposits')).body.items
    expect(seen).toMatchObject({ status: 'failed', reason: 'No such transfer' })
    expect((await messagesOf(member))[0]?.params).toMatchObject({ reason: 'No such transfer' })
    expect((await venue.assetsOf(member)).total).toBe('0.00')
    expect((await post(`/deposits/${id}/approve`)).code).toBe('CONFLICT')
  })

  it('accept one of two concurrent decisions', async () => {
    const member = await venue.registerMember()
    const { id } = (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '50.00' })).body
    const both = await Promise.all([post(`/deposits/${id}/approve`), post(`/deposits/${id}/approve`)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await venue.assetsOf(member)).total).toBe('50.00')
  })
})

describe('withdrawals and their accounts', () => {
  it('are shown with the full account and an audit row, and leave the held amount when approved', async () => {
    const { member, placed } = await createWithdrawal()
    const { id, no } = placed
    const listed = await get<ListAnswer<Withdrawal>>('/withdrawals?limit=1')
    expect(listed.body.items).toMatchObject([{ id, no, status: 'under_review' }])
    expect(listed.text).not.toContain(bankAccount.cardNumber)
    const shown = await get(`/withdrawals/${no}`)
    expect(shown.body).toMatchObject({ id, payTo: bankDetails })
    expect(officeRoutes.withdrawals.show.answer.parse(shown.body)).toEqual(shown.body)
    expect(await newestAct()).toMatchObject({ act: 'view', subject: { kind: 'withdrawal' } })

    expect((await post(`/withdrawals/${no}/approve`)).body).toMatchObject({ status: 'successful' })
    expect(await venue.assetsOf(member)).toMatchObject({ available: '300.00', held: '0.00' })
    expect((await post(`/withdrawals/${id}/approve`)).code).toBe('CONFLICT')
  })

  it('return the held amount when rejected', async () => {
    const { member, placed } = await createWithdrawal()
    expect((await post(`/withdrawals/${placed.id}/reject`, {})).status).toBe(400)
    expect((await post(`/withdrawals/${placed.id}/reject`, { reason: 'Name differs' })).status).toBe(200)
    expect(await venue.assetsOf(member)).toMatchObject({ available: '500.00', held: '0.00' })
    const [seen] = (await member.get<ListAnswer<Withdrawal>>('/withdrawals')).body.items
    expect(seen).toMatchObject({ status: 'failed', reason: 'Name differs' })
  })

  it('are unbound by the id of the account, the member or the account name', async () => {
    for (const name of ['own', 'member', 'account'] as const) {
      const member = await venue.registerMember()
      const bound = await member.send<{ account: { id: string } }>('POST', '/withdrawal-account', bankAccount)
      const id = { own: bound.body.account.id, member: member.id, account: member.account }[name]
      expect((await post(`/withdrawal-accounts/${id}/unbind`)).body).toEqual({
        id: bound.body.account.id,
        memberId: member.id,
        proposal: null,
      })
      expect((await member.get('/withdrawal-account')).body).toMatchObject({ account: null })
      expect(await newestAct()).toMatchObject({ act: 'unbind', memberId: member.id })
      expect((await post(`/withdrawal-accounts/${id}/unbind`)).status).toBe(404)
    }
  })
})

describe('verifications', () => {
  it('show personal data and photos only in show, with audit rows', async () => {
    const member = await venue.registerMember()
    await venue.submitVerification(member)
    const listed = await get<ListAnswer<{ id: string }>>('/verifications?status=under_review&limit=1')
    expect(listed.text).not.toContain('王小明')
    const shown = await get<{ id: string; frontUploadId: string }>(`/verifications/${member.account}`)
    expect(shown.body).toMatchObject({ id: listed.body.items[0]?.id, name: '王小明', memberId: member.id })
    expect(officeRoutes.verifications.show.answer.parse(shown.body)).toEqual(shown.body)
    const { frontUploadId } = shown.body
    expect((await member.get(`/uploads/${frontUploadId}`)).status).toBe(404)
    const picture = await get(`/uploads/${frontUploadId}`)
    expect(picture).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } })
    expect(picture.headers['cache-control']).toBe('no-store')
    const acts = (await get<ListAnswer<ActLogEntry>>('/audit?limit=2')).body.items
    expect(acts.map(({ act, subject }) => [act, subject.kind])).toEqual([
      ['view', 'upload'],
      ['view', 'verification'],
    ])

    expect((await post(`/verifications/${member.id}/approve`)).body).toMatchObject({ status: 'verified' })
    expect((await member.get<Verification>('/verification')).body.status).toBe('verified')
    expect((await post(`/verifications/${member.id}/approve`)).code).toBe('CONFLICT')
  })

  it('are rejected with a reason, after which the member may resubmit', async () => {
    const member = await venue.registerMember()
    await venue.submitVerification(member)
    expect((await post(`/verifications/${member.id}/reject`)).fields).toEqual({ reason: 'REQUIRED' })
    await post(`/verifications/${member.id}/reject`, { reason: '照片模糊' })
    expect((await member.get('/verification')).body).toMatchObject({ status: 'rejected', reason: '照片模糊' })
    await venue.submitVerification(member)
    expect((await member.get('/verification')).body).toMatchObject({ status: 'under_review' })
  })
})

describe('password requests', () => {
  const requestPassword = (member: MemberClient, newPassword: string) =>
    member.send<{ id: string }>('POST', '/auth/password-requests', {
      kind: 'login',
      oldPassword: 'correct horse 7',
      newPassword,
      confirmPassword: newPassword,
    })
  const login = (account: string, password: string) =>
    call(venue.app, 'POST', '/auth/login', { body: { account, password } })

  it('take effect when the approval returns', async () => {
    const member = await venue.registerMember()
    const { id } = (await requestPassword(member, 'another horse 9')).body
    const shown = await get(`/password-requests/${id}`)
    expect(shown.body).toMatchObject({ id, kind: 'login', status: 'under_review' })
    expect(shown.text).not.toMatch(/hash|argon/i)
    expect((await login(member.account, 'another horse 9')).status).toBe(401)
    expect((await post(`/password-requests/${id}/approve`)).status).toBe(200)
    expect((await login(member.account, 'another horse 9')).status).toBe(200)
    expect((await post(`/password-requests/${id}/reject`, { reason: 'No' })).code).toBe('CONFLICT')
    const listed = await get<ListAnswer<unknown>>('/password-requests?status=successful')
    expect(officeRoutes['password-requests'].list.answer.parse(listed.body)).toEqual(listed.body)
  })

  it('change nothing when rejected', async () => {
    const member = await venue.registerMember()
    const { id } = (await requestPassword(member, 'another horse 9')).body
    await post(`/password-requests/${id}/reject`, { reason: 'Call us' })
    expect((await messagesOf(member))[0]).toMatchObject({ params: { reason: 'Call us' } })
    expect((await login(member.account, 'correct horse 7')).status).toBe(200)
  })
})

describe('members', () => {
  it('are listed newest first, in pages, filtered by the start of the account', async () => {
    const member = await venue.registerMember()
    const first = await get<ListAnswer<OfficeMember>>('/members?limit=2')
    expect(first.body.items).toHaveLength(2)
    const second = await get<ListAnswer<OfficeMember>>(`/members?limit=2&cursor=${first.body.nextCursor}`)
    const ids = [...first.body.items, ...second.body.items].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    const filtered = await get<ListAnswer<OfficeMember>>(`/members?account=${member.account.toUpperCase()}`)
    expect(filtered.body.items.map(({ id }) => id)).toEqual([member.id])
    expect(filtered.text).not.toContain(member.phone)
    expect((await get<ListAnswer<OfficeMember>>('/members?account=%25')).body.items).toEqual([])
  })

  it('are shown with phone and assets, with an audit row', async () => {
    const member = await venue.registerMember()
    const shown = await get(`/members/${member.account}`)
    expect(shown.body).toMatchObject({ id: member.id, phone: member.phone, assets: { total: '0.00' } })
    expect(officeRoutes.members.show.answer.parse(shown.body)).toEqual(shown.body)
    expect(await newestAct()).toMatchObject({ act: 'view', subject: { kind: 'member', id: member.id } })
    expect((await get('/members/nobody')).status).toBe(404)
  })

  it('see the level and credit score that the back office sets', async () => {
    const member = await venue.registerMember()
    expect((await post(`/members/${member.id}/level`, { level: 4 })).body).toMatchObject({ level: 4 })
    expect(await newestAct()).toMatchObject({ act: 'level', details: { from: 1, to: 4 } })
    await post(`/members/${member.account}/credit`, { creditScore: 87 })
    expect((await member.get<User>('/me')).body).toMatchObject({ level: 4, creditScore: 87 })
    for (const [path, body] of [
      ['level', { level: 0 }],
      ['level', { level: 6 }],
      ['level', {}],
      ['credit', { creditScore: -1 }],
      ['credit', { creditScore: 1001 }],
      ['level', { level: 2, available: '1.00' }],
    ] as const) {
      expect((await post(`/members/${member.id}/${path}`, body)).status).toBe(400)
    }
    expect((await post('/members/nobody/level', { level: 2 })).status).toBe(404)
  })
})

describe('products', () => {
  const statusOf = async (id: string) => {
    const { body } = await call<Product>(venue.app, 'GET', `/products/${id}`)
    return [body.status, body.opensAt]
  }

  it('are in maintenance for members from the request until it is ended', async () => {
    const opensAt = venue.clock.now() + 3_600_000
    const closed = await post<OfficeProduct>('/products/BTCUSDT/maintenance', { opensAt })
    expect(closed.body).toMatchObject({ id: 'BTCUSDT', status: 'maintenance', opensAt })
    expect(await statusOf('BTCUSDT')).toEqual(['maintenance', opensAt])
    expect(await newestAct()).toMatchObject({
      act: 'maintenance',
      subject: { kind: 'product', id: 'BTCUSDT', name: 'BTCUSDT' },
    })
    await post('/products/BTCUSDT/maintenance')
    expect(await statusOf('BTCUSDT')).toEqual(['maintenance', null])
    await post('/products/BTCUSDT/open')
    expect((await statusOf('BTCUSDT'))[0]).toBe('open')
    expect(await newestAct()).toMatchObject({ act: 'open' })
  })

  it('reject unknown ids and opening times in the past', async () => {
    expect((await post('/products/NONE/maintenance')).status).toBe(404)
    expect((await post('/products/NONE/open')).status).toBe(404)
    const past = await post('/products/BTCUSDT/maintenance', { opensAt: venue.clock.now() })
    expect(past).toMatchObject({ status: 400, fields: { opensAt: 'INVALID' } })
  })

  it('are listed in order, in pages', async () => {
    const first = await get<ListAnswer<OfficeProduct>>('/products?limit=1')
    expect(first.body).toMatchObject({ items: [{ id: 'BTCUSDT', feed: 'live' }], nextCursor: 'BTCUSDT' })
    const second = await get<ListAnswer<OfficeProduct>>('/products?limit=1&cursor=BTCUSDT')
    expect(second.body).toMatchObject({ items: [{ id: 'XAUUSD' }], nextCursor: null })
    expect((await get('/products?cursor=NONE')).status).toBe(400)
  })
})

describe('content', () => {
  it.each(['news', 'highlights'] as const)('%s are published from a file', async (noun) => {
    const file = `---\nid: about-${noun}\nlang: zh-CN\ntitle: 你好\n---\n${'字'.repeat(20_000)}\n`
    const published = await post<Article>(`/${noun}`, { file })
    expect(published).toMatchObject({ status: 201, body: { title: '你好', version: 1 } })
    const seen = await call<Article>(venue.app, 'GET', `/${noun}/about-${noun}?lang=zh-CN`)
    expect(seen.body).toEqual(published.body)
    expect(await newestAct()).toMatchObject({ act: 'publish', subject: { id: `about-${noun}` } })
    expect(await post(`/${noun}`, { file: 'no front matter' })).toMatchObject({ fields: { file: 'INVALID' } })
    const linked = (address: string) =>
      post(`/${noun}`, { file: `---\nlang: en\ntitle: A\n---\n[Page](${address})` })
    for (const address of ['#/pages/fund/fund', '/pages/news/news', 'pages/news/news']) {
      expect((await linked(address)).fields).toEqual({ body: 'INVALID' })
    }
    for (const address of ['#/pages/order/detail?id=1', 'https://elsewhere.example/pages/x']) {
      expect((await linked(address)).status).toBe(201)
    }
  })

  it('sends a message to one member or to all', async () => {
    const [member, other] = [await venue.registerMember(), await venue.registerMember()]
    const text = { title: 'Notice', body: 'Closed on Friday', lang: 'en', link: 'pages/news/news' }
    expect(await post('/messages', { to: member.account, ...text })).toMatchObject({
      status: 201,
      body: { sent: 1 },
    })
    expect(await messagesOf(member)).toMatchObject([{ key: 'desk', ...text }, { key: 'welcome' }])
    const { total } = (await venue.database.pool.query('SELECT count(*)::int AS total FROM member')).rows[0]
    const sent = await post('/messages', { to: 'all', title: 'All', body: 'To all' })
    expect(sent.body).toEqual({ sent: total })
    expect((await messagesOf(member))[0]).toMatchObject({ title: 'All', lang: 'zh-CN' })
    expect((await messagesOf(other))[0]).toMatchObject({ title: 'All' })
    expect(await newestAct()).toMatchObject({ act: 'message', subject: { id: 'all' }, memberId: null })
    expect((await post('/messages', { to: 'nobody', title: 'A', body: 'B' })).status).toBe(404)
    const rejections: [object, object][] = [
      [{ link: 'https://elsewhere.example/' }, { link: 'INVALID' }],
      [{ link: 'pages/fund/fund' }, { link: 'INVALID' }],
      [{ title: '\u200b' }, { title: 'REQUIRED' }],
      [{ title: 'One\ntwo' }, { title: 'INVALID' }],
      [{ body: '\u3164\n' }, { body: 'REQUIRED' }],
    ]
    for (const [change, fields] of rejections) {
      expect((await post('/messages', { to: member.id, title: 'A', body: 'B', ...change })).fields).toEqual(
        fields,
      )
    }
    const several = { to: member.id, title: 'A', body: 'One\ntwo', link: 'pages/order/detail?id=1' }
    expect((await post('/messages', several)).status).toBe(201)
  })

  it("lists, shows and answers a member's thread", async () => {
    const member = await venue.registerMember()
    await member.send('POST', '/service/messages', { body: 'Hello?' })
    const listed = await get<ListAnswer<{ account: string }>>('/service?limit=1')
    expect(listed.body.items).toMatchObject([{ account: member.account, from: 'member', unread: 1 }])
    const replied = await post<ServiceMessage>(`/service/${member.account}`, { body: 'Good morning' })
    expect(replied).toMatchObject({ status: 201, body: { from: 'desk' } })
    expect((await post(`/service/${replied.body.id}`, { body: 'Again' })).status).toBe(201)
    const thread = await get<ListAnswer<ServiceMessage>>(`/service/${member.id}`)
    expect(thread.body.items.map(({ body }) => body)).toEqual(['Again', 'Good morning', 'Hello?'])
    const seen = (await member.get<ListAnswer<ServiceMessage>>('/service/messages')).body.items
    expect(seen.map(({ from, read }) => [from, read])).toEqual([
      ['desk', false],
      ['desk', false],
      ['member', true],
    ])
    expect((await post(`/service/${member.id}`, { body: ' ' })).fields).toEqual({ body: 'REQUIRED' })
    expect((await get('/service/nobody')).status).toBe(404)
  })
})

describe('audit and clock', () => {
  it('filters acts by kind and by subject', async () => {
    const { body } = await post<{ code: string }>('/codes', {})
    expect(body.code).toBeTypeOf('string')
    const codes = await get<ListAnswer<ActLogEntry>>('/audit?kind=opening-code&limit=1')
    expect(codes.body.items[0]).toMatchObject({ act: 'issue' })
    const id = codes.body.items[0]?.subject.id ?? ''
    const one = await get<ListAnswer<ActLogEntry>>(`/audit?kind=opening-code&id=${id}`)
    expect(one.body.items.map(({ act }) => act)).toEqual(['issue'])
    expect(officeRoutes.audit.list.answer.parse(codes.body)).toEqual(codes.body)
  })

  it('in live mode rejects advancing the calendar and requires an actor', async () => {
    expect(await post('/clock/advance', { ms: 1000 })).toMatchObject({ status: 403, code: 'PRACTICE_ONLY' })
    expect((await get('/clock')).body).toMatchObject({ businessOffsetMs: 0, zone: 'Asia/Shanghai' })
    for (const method of ['GET', 'POST'] as const) {
      const path = method === 'GET' ? '/codes' : '/products/XAUUSD/open'
      expect(await venue.office(method, path, { as: null })).toMatchObject({
        status: 400,
        fields: { as: 'REQUIRED' },
      })
    }
  })
})

it('rejects unknown fields, invalid queries and unknown ids', async () => {
  expect((await get('/deposits?sort=up')).status).toBe(400)
  expect((await post('/codes', { code: 'MINE' })).fields).toEqual({ code: 'UNKNOWN_FIELD' })
  expect((await get('/deposits?limit=0')).status).toBe(400)
  expect((await get('/deposits/none')).status).toBe(404)
  expect((await post('/withdrawals/none/approve')).status).toBe(404)
  expect((await post('/verifications/none/approve')).status).toBe(404)
  expect((await post('/password-requests/none/approve')).status).toBe(404)
  expect((await get('/uploads/none')).status).toBe(404)
  expect((await get('/orders')).status).toBe(404)
})
