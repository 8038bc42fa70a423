import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Assets } from '../../../../contract/ledger.ts'
import type { VenueConfig } from '../../../../contract/venueConfig.ts'
import type { WithdrawalRest } from '../../../../contract/withdrawals.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { addPasskey, addTotp } from '../../../support/passkeys.ts'
import { bankAccount, transactionPassword } from '../../../support/payments.ts'
import { countLockWaits, withPostgres } from '../../../support/postgres.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('withdrawal_rest')
/** Short, because a clock that a test moves runs every job of the time between. */
const restMs = 5000
const request = { amount: '10.00', transactionPassword }
const restOf = async (member: MemberClient): Promise<WithdrawalRest | null> =>
  (await member.get<{ rest: WithdrawalRest | null }>('/withdrawal-account')).body.rest
const withdraw = (member: MemberClient) => member.post('/withdrawals', request)

postgres.describe('the rest of withdrawals', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), { settings: { withdrawalRestMs: restMs } })
  })
  afterAll(() => venue.close())
  const begin = (member: MemberClient, cause: WithdrawalRest['cause']) =>
    venue.db.transaction((tx) => venue.withdrawalRests.begin(tx, member.id, cause))

  it('follows each binding of an account and ends by itself', async () => {
    const member = await venue.createVerifiedMember()
    const endsAt = venue.clock.now() + restMs
    const refused = await withdraw(member)
    expect([refused.status, refused.code, refused.params]).toEqual([
      423,
      'WITHDRAWALS_REST',
      { endsAt, cause: 'account_bound' },
    ])
    expect(await restOf(member)).toEqual({ endsAt, cause: 'account_bound' })
    await venue.clock.advance(restMs - 1)
    expect((await withdraw(member)).code).toBe('WITHDRAWALS_REST')
    await venue.clock.advance(1)
    expect(await restOf(member)).toBeNull()
    expect((await withdraw(member)).status).toBe(201)
    await venue.accounts.unbind(member.id, 'mei')
    await member.send('POST', '/withdrawal-account', bankAccount)
    expect((await withdraw(member)).code).toBe('WITHDRAWALS_REST')
  })

  it('follows a new passkey and a new authenticator app, but not their removal', async () => {
    const member = await venue.createVerifiedMember()
    await venue.clock.advance(restMs)
    const { passkey } = await addPasskey(member)
    const byPasskey = { endsAt: venue.clock.now() + restMs, cause: 'second_factor' }
    expect(await restOf(member)).toEqual(byPasskey)
    await venue.clock.advance(1000)
    await member.send('POST', `/auth/passkeys/${passkey.id}/remove`, { password: loginPassword })
    expect(await restOf(member)).toEqual(byPasskey)
    await addTotp(member, venue.clock.now())
    expect(await restOf(member)).toEqual({ endsAt: venue.clock.now() + restMs, cause: 'second_factor' })
    expect((await withdraw(member)).code).toBe('WITHDRAWALS_REST')
  })

  it('comes after the account and the name, and before the password', async () => {
    const member = await venue.createMember()
    await begin(member, 'login_denied')
    const wrong = { ...request, transactionPassword: '111222' }
    const codeOf = async () => (await member.post('/withdrawals', wrong)).code
    expect(await codeOf()).toBe('NOT_BOUND')
    await member.send('POST', '/withdrawal-account', bankAccount)
    expect(await codeOf()).toBe('NOT_VERIFIED')
    await venue.submitVerification(member)
    await venue.office('POST', `/verifications/${member.id}/approve`)
    expect(await codeOf()).toBe('WITHDRAWALS_REST')
  })

  it('is extended by a later cause, and never made shorter', async () => {
    const member = await venue.createVerifiedMember()
    const first = venue.clock.now() + restMs
    await begin(member, 'second_factor')
    expect(await restOf(member)).toEqual({ endsAt: first, cause: 'account_bound' })
    await venue.clock.advance(1000)
    await begin(member, 'second_factor')
    expect(await restOf(member)).toEqual({ endsAt: first + 1000, cause: 'second_factor' })
  })

  it('stops a withdrawal that was checked before it began', async () => {
    const member = await venue.createVerifiedMember()
    await venue.clock.advance(restMs)
    let pending: ReturnType<typeof withdraw> | undefined
    await venue.db.transaction(async (tx) => {
      await venue.withdrawalRests.begin(tx, member.id, 'password_recovered')
      pending = withdraw(member)
      await expect.poll(() => countLockWaits(venue.database)).toBe(1)
    })
    expect((await pending)?.code).toBe('WITHDRAWALS_REST')
    expect((await member.get<Assets>('/me/assets')).body.held).toBe('0.00')
  })

  it('after a recovered password also covers a new second factor and a new withdrawal account', async () => {
    const member = await venue.createMember()
    await begin(member, 'password_recovered')
    const { body: passkey } = await member.send('POST', '/auth/passkeys/registration', {
      password: loginPassword,
    })
    expect(passkey).toMatchObject({ error: { code: 'WITHDRAWALS_REST' } })
    const setup = await member.send('POST', '/auth/totp/setup', { password: loginPassword })
    expect(setup.code).toBe('WITHDRAWALS_REST')
    // Whoever has the account may cause another pause, which is no way around this one.
    await venue.clock.advance(1000)
    await begin(member, 'login_denied')
    expect((await member.send('POST', '/withdrawal-account', bankAccount)).code).toBe('WITHDRAWALS_REST')
    await venue.clock.advance(restMs)
    expect((await member.send('POST', '/withdrawal-account', bankAccount)).status).toBe(201)
  })

  it('leaves withdrawals under review alone', async () => {
    const member = await venue.createVerifiedMember()
    await venue.clock.advance(restMs)
    const placed = await member.post<{ id: string }>('/withdrawals', request)
    await begin(member, 'password_recovered')
    const approved = await venue.office('POST', `/withdrawals/${placed.body.id}/approve`)
    expect(approved.status).toBe(200)
  })
})

postgres.describe('in practice mode', () => {
  it('withdrawals do not rest by default', async () => {
    const venue = await withVenue({ database: postgres.database() })
    const member = await venue.createVerifiedMember()
    expect(await restOf(member)).toBeNull()
    expect((await withdraw(member)).status).toBe(201)
    expect((await member.get<VenueConfig>('/config')).body.withdrawalRestHours).toBe(0)
  })
})
