import { beforeAll, expect, it } from 'vitest'
import type { Found } from '../../../../contract/office/memberRecord.ts'
import { minor } from '../../../../contract/units.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { createStaff, openAndApprove, type StaffClient } from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

let ada: StaffClient
const venue = await withVenue({ asRoles: true })
beforeAll(async () => {
  ada = await createStaff(venue, 'finance', 'ada')
})

/** A withdrawal that is approved and waits to be paid. */
const approved = async () => {
  const member = await venue.createVerifiedMember(minor(500_000))
  const form = { amount: '10.00', transactionPassword }
  const { id, no } = (await member.post<Withdrawal>('/withdrawals', form)).body
  await openAndApprove(ada, `/withdrawals/${id}`)
  return { id, no }
}
/** Members share a card here, so each new one changes what was seen. */
const pay = async (id: string, reference: string, more: object = {}) => {
  await ada.get(`/withdrawals/${id}`)
  return ada.post<Withdrawal>(`/withdrawals/${id}/pay`, { reference, ...more })
}
const find = async (who: StaffClient, q: string) =>
  (await who.post<{ items: Found[] }>('/search', { q })).body.items

it.each([
  ['as it is', 'BK 12345', 'BK 12345'],
  ['in lower case', 'BK12346', 'bk12346'],
  ['full-width', 'BK999', 'ＢＫ９９９'],
  ['with other spaces and invisible signs', 'ICBC 2026-7', ' icbc\u3000 2026\u200b-7 '],
])(
  'a payment with the reference of another one, %s, is refused with its number',
  async (_how, one, again) => {
    const [first, second] = [await approved(), await approved()]
    expect((await pay(first.id, one)).status).toBe(200)
    expect(await pay(second.id, again)).toMatchObject({
      status: 409,
      code: 'REFERENCE_USED',
      params: { no: first.no },
    })
    expect((await ada.get<Withdrawal>(`/withdrawals/${second.id}`)).body.status).toBe('under_review')
    // What the member reads is what was typed.
    const paid = await pay(second.id, again, { sharedTransfer: true })
    expect(paid.body).toMatchObject({ status: 'successful', reference: again.trim() })
    const { rows } = await venue.database.pool.query(
      `SELECT details::jsonb AS details FROM audit WHERE act = 'pay' AND subject_id = '${second.id}'`,
    )
    expect(rows).toMatchObject([
      { details: { no: second.no, reference: again.trim(), sharedTransfer: true } },
    ])
  },
)

it('of two payments with one reference at the same moment, one is made', async () => {
  const both = [await approved(), await approved()]
  const answers = await Promise.all(both.map(({ id }) => pay(id, 'AT ONCE')))
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
  const at = answers.findIndex(({ status }) => status === 409)
  expect(answers[at]).toMatchObject({ code: 'REFERENCE_USED', params: { no: both[1 - at]!.no } })
})

it('withdrawals are found by their whole reference, by who may see payments', async () => {
  const [first, second] = [await approved(), await approved()]
  await pay(first.id, 'WIRE 77 / x')
  await pay(second.id, 'WIRE 77 / x', { sharedTransfer: true })
  const hits = await find(ada, ' wire77／Ｘ')
  expect(hits).toHaveLength(2)
  for (const { no } of [first, second])
    expect(hits).toContainEqual(expect.objectContaining({ kind: 'withdrawal', no, by: 'reference' }))
  expect(await find(ada, 'wire77')).toEqual([])
  const sue = await createStaff(venue, 'support')
  expect(await find(sue, 'WIRE 77 / x')).toEqual([])
})
