import { afterAll, beforeAll, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import type { SelfLimits } from '../../../../contract/selfLimits.ts'
import { dayMs } from '../../../../contract/time.ts'
import { createAccountClosing } from '../../../../server/members/ownData/accountClosing.ts'
import { call, type MemberClient } from '../../../support/apiCalls.ts'
import { ledgerSum } from '../../../support/ledgerSum.ts'
import { placeOrder, runMarket, tickOnce } from '../../../support/orders.ts'
import { addPasskey, addTotp, confirmByPasskey } from '../../../support/passkeys.ts'
import { bankAccount } from '../../../support/payments.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { loginPassword, transactionPassword } from '../../../support/testMembers.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const postgres = await withPostgres('close_account')

const close = (member: MemberClient, proof: object = { transactionPassword }) =>
  member.send('POST', '/me/close', proof)

postgres.describe('closing an account', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), { asRoles: true })
  })
  afterAll(async () => {
    expect(venue.reportedErrors).toEqual([])
    expect(await ledgerSum(postgres.database())).toBe(0)
    await venue.close()
  })

  const logIn = (account: string) =>
    call(venue.app, 'POST', '/auth/login', { body: { account, password: loginPassword } })
  /** A member who registered, with all practice money taken out again. */
  const emptyMember = async () => {
    const member = await venue.registerMember()
    await takeOut(member)
    return member
  }
  const takeOut = async (member: MemberClient): Promise<void> => {
    const { available } = await venue.db.transaction((tx) => venue.ledger.lock(tx, member.id))
    await venue.ledger.post(venue.db, {
      memberId: member.id,
      type: 'reset',
      legs: { available: minor(-available), grants: minor(available) },
    })
  }
  const query = async (text: string, ...values: string[]) =>
    (await venue.database.pool.query(text, values)).rows as unknown[]
  const isClosed = async ({ id }: MemberClient): Promise<boolean> =>
    (await query('SELECT FROM member WHERE id = $1 AND closed_at IS NOT NULL', id)).length === 1

  it('removes what identifies and lets in the member, and keeps what law asks for', async () => {
    const member = await emptyMember()
    const other = await venue.openSession(member.id)
    const { socket } = await venue.connect({ cookie: `sid=${other.sid}` })
    await member.send('PATCH', '/me', { contactEmail: 'canary@example.org', password: loginPassword })
    await member.send('POST', '/withdrawal-account', bankAccount)
    await venue.submitVerification(member)
    await member.send('POST', '/service/messages', {
      body: 'hello',
      uploadId: await venue.upload(member, 'service'),
    })
    await member.send('PUT', '/messages/mutes', { muted: ['trade'] })
    await addTotp(member, venue.clock.now())
    await addPasskey(member)
    await member.send('PUT', '/me/limits', {
      maxStake: '5.00',
      maxDailyLoss: null,
      maxDailyDeposit: null,
      excludedUntil: null,
    })
    const alert = await member.post('/price-alerts', { productId: 'TEST', kind: 'above', price: '105.00' })
    expect(alert.status).toBe(201)
    const before = await query(
      'SELECT count(*)::int AS postings FROM posting WHERE member_id = $1',
      member.id,
    )

    expect((await close(member)).status).toBe(204)

    expect((await member.get('/me')).status).toBe(401)
    expect((await other.get('/me')).status).toBe(401)
    await expect.poll(() => socket.connected).toBe(false)
    const [row] = (await query('SELECT * FROM member WHERE id = $1', member.id)) as Record<string, unknown>[]
    expect(row).toMatchObject({
      account: member.account,
      closed_at: venue.clock.now(),
      nickname: '',
      phone_hash: null,
      phone_masked: null,
      phone_sealed: null,
      contact_email_sealed: null,
      password_hash: null,
      transaction_password_hash: null,
      withdrawal_account_bound: false,
    })
    const gone = {
      member_id: [
        'session',
        'message',
        'message_mute',
        'service_message',
        'login_event',
        'price_alert',
        'member_limit',
        'password_failure',
        'password_recovery_code',
      ],
      owner_id: ['member_passkey', 'member_totp', 'member_recovery_code', 'member_code_failure'],
    }
    for (const [column, tables] of Object.entries(gone))
      for (const table of tables)
        expect(await query(`SELECT FROM ${table} WHERE ${column} = $1`, member.id), table).toEqual([])
    expect(
      await query('SELECT count(*)::int AS postings FROM posting WHERE member_id = $1', member.id),
    ).toEqual(before)
    expect(await query('SELECT status, reason FROM verification WHERE member_id = $1', member.id)).toEqual([
      { status: 'rejected', reason: 'account closed' },
    ])
    expect(await query('SELECT unbound_by FROM withdrawal_account WHERE member_id = $1', member.id)).toEqual([
      { unbound_by: 'member' },
    ])
    const { items } = await venue.modules.actLog.list({ limit: 1 }, { subjectId: member.id })
    expect(items).toMatchObject([{ actor: 'member', act: 'close', memberId: member.id }])
  })

  it('forfeits practice money by a posting of its own', async () => {
    const member = await venue.registerMember()
    expect((await close(member)).status).toBe(204)
    expect(
      await query(
        'SELECT type, available, grants, available_after FROM posting WHERE member_id = $1 ORDER BY id DESC LIMIT 1',
        member.id,
      ),
    ).toMatchObject([{ type: 'reset', available: -1_000_000, grants: 1_000_000, available_after: 0 }])
  })

  it('does not end an exclusion: the next account with the same phone has it too', async () => {
    const member = await venue.registerMember()
    const excludedUntil = venue.clock.now() + 90 * dayMs
    const limits = { maxStake: null, maxDailyLoss: null, maxDailyDeposit: null, excludedUntil }
    await member.send('PUT', '/me/limits', limits)
    await close(member)
    const again = await venue.registerMember(undefined, member.phone)
    const { active } = (await again.get<SelfLimits>('/me/limits')).body
    expect(active).toMatchObject(limits)
    expect(await query('SELECT FROM kept_exclusion WHERE phone_hash <> $1', '')).toEqual([])
  })

  it('erases verification and payouts five years later, and says so in the act log', async () => {
    const member = await venue.registerMember()
    await member.send('POST', '/withdrawal-account', bankAccount)
    await venue.submitVerification(member)
    await venue.verifications.office.approve(member.id, 'mei')
    await member.post('/withdrawals', { amount: '50.00', transactionPassword })
    const { items: withdrawals } = (await member.get<{ items: { id: string }[] }>('/withdrawals')).body
    const id = withdrawals[0]?.id ?? ''
    await venue.office('POST', `/withdrawals/${id}/approve`, { body: {} })
    await venue.office('POST', `/withdrawals/${id}/paid`, { body: { reference: 'R1' } })
    await venue.office('POST', `/members/${member.id}/notes`, { body: { body: 'Called' } })
    await query(
      `INSERT INTO proposal (id, act, subject_kind, subject_id, member_id, params, proposed_by, proposed_at, expires_at, status,
         decided_by, decided_at) VALUES ($1, 'withdrawals.approve', 'withdrawal', $1, $2, '{}', 'mei', 1, 2, 'cancelled', 'expired', 2)`,
      id,
      member.id,
    )
    await query("INSERT INTO proposal_note VALUES ($1, $2, '')", id, member.id)
    expect((await close(member)).status).toBe(204)
    const job = venue.modules.jobs.find(({ name }) => name === 'erase closed accounts')
    const sealed = async (): Promise<object> => ({
      erased: await query('SELECT FROM erased_member WHERE member_id = $1', member.id),
      names: await query('SELECT FROM sealed_index WHERE member_id = $1', member.id),
      notes: await query('SELECT FROM member_note WHERE member_id = $1', member.id),
      proposalNotes: await query('SELECT FROM proposal_note WHERE member_id = $1', member.id),
      photos: await query(
        "SELECT FROM upload WHERE member_id = $1 AND used_by_kind = 'verification' AND removed_at IS NULL",
        member.id,
      ),
    })
    const late = await venue.office('POST', `/members/${member.id}/notes`, { body: { body: 'Late' } })
    expect(late.status).toBe(409)
    await job?.run()
    expect(await sealed()).toMatchObject({
      names: expect.arrayContaining([{}]) as object,
      notes: [{}],
      proposalNotes: [{}],
    })
    await venue.clock.jumpBy(5 * 366 * dayMs)
    await job?.run()
    expect(await sealed()).toEqual({ erased: [{}], names: [], notes: [], proposalNotes: [], photos: [] })
    const shown = await venue.office('GET', `/verifications/${member.id}`)
    expect(shown.body).toMatchObject({ name: '', idNumber: '' })
    const paid = await venue.office('GET', `/withdrawals/${id}`)
    expect([paid.status, JSON.stringify(paid.body).includes(bankAccount.accountName)]).toEqual([200, false])
    const { items } = await venue.modules.actLog.list({ limit: 1 }, { subjectId: member.id })
    expect(items).toMatchObject([{ actor: 'venue', act: 'erase', memberId: member.id }])
    // Once.
    expect(await job?.run()).toBe(0)
  })

  it('removes pictures of the conversation with customer service, and no others', async () => {
    const member = await emptyMember()
    const uploadId = await venue.upload(member, 'service')
    await member.send('POST', '/service/messages', { body: 'hello', uploadId })
    await venue.submitVerification(member)
    await close(member)
    const job = venue.modules.jobs.find(({ name }) => name === 'remove pictures of closed accounts')
    await job?.run()
    expect(
      await query(
        'SELECT purpose, removed_at IS NOT NULL AS removed FROM upload WHERE member_id = $1 ORDER BY purpose',
        member.id,
      ),
    ).toEqual([
      { purpose: 'id_back', removed: false },
      { purpose: 'id_front', removed: false },
      { purpose: 'service', removed: true },
    ])
  })

  it('answers a log-in as for an account that never was, and gives the name to nobody', async () => {
    const member = await emptyMember()
    await addTotp(member, venue.clock.now())
    await close(member)
    const [known, unknown] = [await logIn(member.account), await logIn('nobody_here')]
    const withoutId = ({ text }: { text: string }) => text.replace(/"requestId":"[^"]*"/, '')
    expect([known.status, withoutId(known)]).toEqual([unknown.status, withoutId(unknown)])
    expect(known.code).toBe('BAD_CREDENTIALS')
    const register = (account: string) =>
      call(venue.app, 'POST', '/auth/register/check', {
        body: { account, phone: member.phone, openingCode: 'UPTICK' },
      })
    expect((await register(member.account.toUpperCase())).code).toBe('ACCOUNT_TAKEN')
    // The phone is free again.
    expect((await register('another_one')).status).toBe(200)
  })

  it('needs the transaction password, or a passkey asked for this', async () => {
    const member = await emptyMember()
    expect((await close(member, {})).code).toBe('VALIDATION')
    expect((await close(member, { transactionPassword: '135790' })).code).toBe('TRANSACTION_PASSWORD_WRONG')
    const { authenticator } = await addPasskey(member)
    const other = await confirmByPasskey(member, 'withdrawal', authenticator)
    expect((await close(member, { passkey: other })).code).toBe('CHALLENGE_EXPIRED')
    const stranger = await emptyMember()
    const passkey = await confirmByPasskey(member, 'closeAccount', authenticator)
    expect((await close(stranger, { passkey })).status).not.toBe(204)
    const own = await confirmByPasskey(member, 'closeAccount', authenticator)
    expect((await close(member, { passkey: own })).status).toBe(204)
    expect(await isClosed(stranger)).toBe(false)
  })

  it('is refused while there is money, an open order, a request under way, or a freeze', async () => {
    const member = await venue.createVerifiedMember(minor(5000))
    const live = createAccountClosing({ ...venue, ...venue.modules, settings: { mode: 'live' } })
    const params = { available: '50.00', fund: '0.00' }
    await expect(live.close(member.id)).rejects.toMatchObject({ code: 'BALANCE_LEFT', params })
    await member.post('/fund/deposits', { amount: '20.00' })
    const left = await close(member)
    expect([left.status, left.code, left.params]).toEqual([
      409,
      'BALANCE_LEFT',
      { available: '30.00', fund: '20.00' },
    ])
    tickOnce(venue)
    await placeOrder(venue, member)
    expect((await close(member)).code).toBe('OPEN_ORDERS')
    await runMarket(venue, 40_000)
    await member.post('/withdrawals', { amount: '1.00', transactionPassword })
    expect((await close(member)).code).toBe('REQUESTS_PENDING')

    const frozen = await emptyMember()
    await venue.freezes.freeze(
      frozen.id,
      { reason: 'order_of_authority', tellMember: false },
      'mei',
      async () => undefined,
    )
    expect((await close(frozen)).code).toBe('ACCOUNT_FROZEN')
    expect([await isClosed(member), await isClosed(frozen)]).toEqual([false, false])
  })

  it('is final: the row never changes, and nothing is added to it', async () => {
    const member = await emptyMember()
    await close(member)
    const run = (text: string) => venue.database.pool.query(text, [member.id])
    const refused = { code: 'UT003' }
    await expect(run(`UPDATE member SET closed_at = NULL WHERE id = $1`)).rejects.toMatchObject(refused)
    await expect(run(`UPDATE member SET level = 5 WHERE id = $1`)).rejects.toMatchObject(refused)
    await expect(run(`DELETE FROM member WHERE id = $1`)).rejects.toMatchObject(refused)
    const grant = {
      memberId: member.id,
      type: 'reset',
      legs: { available: minor(1), grants: minor(-1) },
    } as const
    await expect(venue.ledger.post(venue.db, grant)).rejects.toThrow()
    await venue.messages.send(venue.db, { memberId: member.id, key: 'welcome', params: {} })
    expect(await query('SELECT FROM message WHERE member_id = $1', member.id)).toEqual([])
    const desk = (path: string, body: object) => venue.office('POST', path, { body })
    expect((await desk(`/members/${member.id}/level`, { level: 2 })).code).toBe('CONFLICT')
    expect((await desk(`/service/${member.id}/reply`, { body: 'hello' })).status).not.toBe(201)
    const shown = await venue.office<{ phone: null; closedAt: number }>('GET', `/members/${member.id}`)
    expect(shown.body).toMatchObject({ phone: null, closedAt: venue.clock.now(), account: member.account })
  })

  it('races with practice money: the account is closed and empty', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      const member = await emptyMember()
      const again = await venue.openSession(member.id)
      const [first, second] = [() => close(member), () => again.post('/practice/reset')]
      const answers =
        round % 2 === 0
          ? await Promise.all([first(), second()])
          : (await Promise.all([second(), first()])).toReversed()
      const [closed, reset] = answers.map(({ status }) => status)
      outcomes.add(`${closed} ${reset}`)
      const { available } = await venue.db.transaction((tx) => venue.ledger.lock(tx, member.id))
      expect([await isClosed(member), available]).toEqual([true, 0])
    }
    for (const outcome of outcomes) expect(['204 401', '204 200']).toContain(outcome)
  })

  it('races with an order: it is placed and the account stays open, or the account closes without it', async () => {
    for (let round = 0; round < 8; round += 1) {
      const member = await venue.createMember(minor(1000))
      const again = await venue.openSession(member.id)
      tickOnce(venue)
      const placing = placeOrder(venue, again).catch(() => null)
      const [closed, order] = await Promise.all([close(member), placing])
      expect([closed.status, closed.code, order?.amount]).toEqual(
        order === null ? [204, undefined, undefined] : [409, 'OPEN_ORDERS', '10.00'],
      )
      expect(await isClosed(member)).toBe(order === null)
    }
    await runMarket(venue, 40_000)
  })

  it('races with a log-in and with itself: one closes, and no session is left', async () => {
    for (let round = 0; round < 6; round += 1) {
      const member = await emptyMember()
      const again = await venue.openSession(member.id)
      const [, ...closings] = await Promise.all([logIn(member.account), close(member), close(again)])
      expect(closings.filter(({ status }) => status === 204)).toHaveLength(1)
      expect(await query('SELECT FROM session WHERE member_id = $1', member.id)).toEqual([])
      expect(await query("SELECT FROM audit WHERE member_id = $1 AND act = 'close'", member.id)).toHaveLength(
        1,
      )
    }
  })
})

postgres.describe('closing an account in live mode', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), { live: true, seed: 977 })
  })
  afterAll(() => venue.close())

  it('races with a deposit: it waits for the desk and the account stays open, or there is none', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      const member = await venue.createMember(minor(0))
      const again = await venue.openSession(member.id)
      const deposit = () => again.post('/deposits', { methodId: 'bank-1', amount: '20.00' })
      const [closed, placed] =
        round % 2 === 0
          ? await Promise.all([close(member), deposit()])
          : (await Promise.all([deposit(), close(member)])).toReversed()
      outcomes.add(`${closed!.code ?? closed!.status} ${placed!.status}`)
      const { rows } = await venue.database.pool.query(
        'SELECT (closed_at IS NOT NULL) AS closed, (SELECT count(*)::int FROM deposit WHERE member_id = m.id) AS deposits FROM member m WHERE id = $1',
        [member.id],
      )
      expect(rows).toEqual([{ closed: closed!.status === 204, deposits: closed!.status === 204 ? 0 : 1 }])
    }
    for (const outcome of outcomes) expect(['204 401', 'REQUESTS_PENDING 201']).toContain(outcome)
  })
})
