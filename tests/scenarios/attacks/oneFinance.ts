import type { Withdrawal } from '../../../contract/withdrawals.ts'
import { transactionPassword, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { enableWithdrawals } from '../../support/enableWithdrawals.ts'
import { findings, type Findings } from '../findings.ts'
import { openAttackedVenue, type Engine } from './attackedVenue.ts'

/** What one person of finance decides alone in a day, for one member and in all. */
const ofOneMember = 1000
const inAll = 2500
const members = 4
const config = {
  practice: { fourEyes: 'on', balance: '3000.00' },
  fourEyesAbove: `${ofOneMember}.00`,
  fourEyesAboveInAll: `${inAll}.00`,
}

/** One person of finance, with members who obey, credits deposits that never came and pays out in pieces. */
export async function emptyTheBank(main: string, engine: Engine): Promise<Findings & { note: string }> {
  const venue = await openAttackedVenue(main, engine, { env: { RATE_LIMITS: 'off' }, config })
  const { found, expect } = findings()
  try {
    const admins = [await venue.staff('admin', 'ada'), await venue.staff('admin', 'abe')] as const
    const frank = await venue.staff('finance', 'frank', admins)
    const cora = await venue.staff('compliance', 'cora', admins)
    await venue.staff('finance', 'fiona', admins)
    let paidInAll = 0
    for (let i = 0; i < members; i++) {
      const member = await venue.member()
      await enableWithdrawals(member, venue.url, async (method, path) => {
        await cora.get(path.replace(/\/approve$/, ''))
        return cora.call(method, path)
      })
      await creditUnpaid(member, frank)
      const paid = await payInPieces(member, frank)
      paidInAll += paid
      expect(paid <= ofOneMember, () => `member ${i + 1} got ${paid}.00 by one person`)
    }
    expect(paidInAll <= inAll, () => `members got ${paidInAll}.00 by one person`)
    return { ...found, note: `${paidInAll}.00 by one person` }
  } finally {
    await venue.close()
  }
}

async function creditUnpaid(member: BlackBoxClient, finance: BlackBoxClient): Promise<void> {
  const asked = await member.postWithKey<{ id: string }>('/api/deposits', {
    methodId: 'practice-review',
    amount: '50000.00',
  })
  if (asked.status !== 201) throw new Error(asked.text)
  const at = `/desk/deposits/${asked.body.id}`
  await finance.get(at)
  const { status, text } = await finance.call('POST', `${at}/approve`)
  if (status !== 200) throw new Error(text)
}

/** @returns what left the venue, in whole units */
async function payInPieces(member: BlackBoxClient, finance: BlackBoxClient): Promise<number> {
  let paid = 0
  for (let i = 0; i < 8; i++) {
    const asked = await member.postWithKey<Withdrawal>('/api/withdrawals', {
      amount: '500.00',
      transactionPassword,
    })
    if (asked.status !== 201) continue
    const at = `/desk/withdrawals/${asked.body.id}`
    await finance.get(at)
    await finance.call('POST', `${at}/approve`)
    await finance.call('POST', `${at}/approve`)
    await finance.get(at)
    const { status } = await finance.call('POST', `${at}/pay`, { body: { reference: `piece ${i}` } })
    if (status === 200) paid += 500
  }
  return paid
}
