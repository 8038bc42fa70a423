import { minor } from '../../contract/units.ts'
import type { Withdrawal } from '../../contract/withdrawals.ts'
import { createStaff } from '../support/staffClient.ts'
import { transactionPassword } from '../support/testMembers.ts'
import type { TestVenue } from '../support/testVenue.ts'

export type FourEyesRaces = { races: number; decidedByOne: number; decidedTwice: number; undecided: number }

/**
 * Withdrawals over the limit, each with several calls at once: one person proposes, repeats it and confirms it, alone in
 * half of the races, beside a second one in the others. Alone nobody gets it approved; two get it approved once.
 */
export async function raceFourEyes(venue: TestVenue, races: number): Promise<FourEyesRaces> {
  const [ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
  const report: FourEyesRaces = { races, decidedByOne: 0, decidedTwice: 0, undecided: 0 }
  for (let race = 0; race < races; race += 1) {
    const member = await venue.createVerifiedMember(minor(200_000))
    const { id } = (await member.post<Withdrawal>('/withdrawals', { amount: '1500.00', transactionPassword }))
      .body
    const isAlone = race % 2 === 0
    const approve = (who: typeof ada) =>
      who.post<{ proposal: { id: string } | null }>(`/withdrawals/${id}/approve`)
    await ada.get(`/withdrawals/${id}`)
    const first = await approve(ada)
    await bo.get(`/withdrawals/${id}`)
    const confirm = (who: typeof ada) => who.post(`/proposals/${first.body.proposal?.id ?? ''}/confirm`)
    await Promise.all([
      approve(ada),
      confirm(ada),
      confirm(ada),
      venue.office('POST', `/withdrawals/${id}/approve`, { as: 'somebody' }),
      ...(isAlone ? [] : [confirm(bo), approve(bo), confirm(bo)]),
    ])
    const { rows } = await venue.database.pool.query<{ approved_by: string | null; acts: number }>(
      `SELECT approved_by, (SELECT count(*)::int FROM audit WHERE act = 'approve' AND subject_id = $1) AS acts
       FROM withdrawal WHERE id = $1`,
      [id],
    )
    const [{ approved_by: by, acts } = { approved_by: null, acts: 0 }] = rows
    if (by !== null && (isAlone || by !== 'bo')) report.decidedByOne += 1
    if (acts > 1) report.decidedTwice += 1
    if (by === null && !isAlone) report.undecided += 1
  }
  return report
}
