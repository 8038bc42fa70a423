import { beforeAll, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { MemberMark } from '../../../../contract/office/views.ts'
import { hourMs } from '../../../../contract/time.ts'
import type { ListAnswer } from '../../../support/apiCalls.ts'
import { bankAccount } from '../../../support/payments.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Listed = { account: string; marks: MemberMark[] }
const venue = await withVenue({ settings: { withdrawalRestMs: 48 * hourMs } })
const list = async (query = ''): Promise<Listed[]> => {
  const { body } = await venue.office<ListAnswer<Listed>>('GET', `/members?limit=100${query}`)
  expect(officeRoutes.members.list.answer.parse(body)).toEqual(body)
  return body.items
}
const accounts: Record<string, string> = {}
beforeAll(async () => {
  for (const mark of ['none', 'frozen', 'closed', 'rests', 'excluded']) {
    const member = await venue.registerMember()
    accounts[mark] = member.account
    const own: Record<string, () => Promise<{ status: number }>> = {
      frozen: () =>
        venue.office('POST', `/members/${member.id}/freeze`, { body: { reason: 'theft_reported' } }),
      closed: () => member.send('POST', '/me/close', { transactionPassword }),
      rests: () => member.send('POST', '/withdrawal-account', bankAccount),
      excluded: () =>
        member.send('PUT', '/me/limits', {
          maxStake: null,
          maxDailyLoss: null,
          maxDailyDeposit: null,
          excludedUntil: venue.clock.now() + 24 * hourMs,
        }),
    }
    const answer = await own[mark]?.()
    expect([mark, (answer?.status ?? 200) < 300, answer]).toEqual([mark, true, answer])
  }
})

it('the list says what each member may not do at present', async () => {
  const marks = Object.fromEntries((await list()).map((one) => [one.account, one.marks]))
  expect(marks[accounts['none']!]).toEqual([])
  for (const mark of ['frozen', 'rests', 'excluded']) expect(marks[accounts[mark]!]).toEqual([mark])
  expect(Object.values(marks).filter((of) => of.includes('closed'))).toHaveLength(1)
})

it('is filtered by a mark, over all pages', async () => {
  for (const mark of ['frozen', 'closed', 'rests', 'excluded'] as const) {
    const found = await list(`&mark=${mark}`)
    expect(found.map(({ marks }) => marks)).toEqual([expect.arrayContaining([mark])])
  }
  expect(await list(`&mark=frozen&account=${accounts['excluded']}`)).toEqual([])
  await venue.clock.jumpBy(25 * hourMs)
  expect(await list('&mark=excluded')).toEqual([])
})
