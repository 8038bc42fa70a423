import { eq } from 'drizzle-orm'
import type { Minor } from '../../contract/units.ts'
import type { Fund as FundView } from '../../contract/fund.ts'
import { hourMs } from '../../contract/time.ts'
import { balance } from '../../server/money/schema.ts'
import type { MemberClient } from './apiCalls.ts'
import { transactionPassword } from './testMembers.ts'
import type { TestVenue } from './testVenue.ts'

/** A session expires after a day without use; days pass in the tests of the fund. */
const sessionMs = 12 * hourMs

/** A new member of a venue with the requests of the fund; logs in again before a session expires. */
export async function createFundMember(
  venue: Pick<TestVenue, 'clock' | 'createMember' | 'openSession' | 'db'>,
  available?: Minor,
) {
  const first = await venue.createMember(available)
  const { id } = first
  let session = { client: first, since: venue.clock.now() }
  const current = async (): Promise<MemberClient> => {
    if (venue.clock.now() - session.since > sessionMs)
      session = { client: await venue.openSession(id), since: venue.clock.now() }
    return session.client
  }
  const client: Pick<MemberClient, 'id' | 'get' | 'post'> = {
    id,
    get: async (path) => (await current()).get(path),
    post: async (path, body, key) => (await current()).post(path, body, key),
  }
  return {
    ...client,
    view: async () => (await client.get<FundView>('/fund')).body,
    deposit: (amount: string, key?: string) => client.post('/fund/deposits', { amount }, key),
    withdraw: (amount: string, mode: 'fast' | 'standard' = 'fast', password = transactionPassword) =>
      client.post('/fund/withdrawals', { amount, mode, transactionPassword: password }),
    balance: async () => {
      const [row] = await venue.db.select().from(balance).where(eq(balance.memberId, id))
      if (!row) throw new Error('no balance')
      return row
    },
  }
}
