import { transactionPassword, type Answer, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { enableWithdrawals } from '../../support/enableWithdrawals.ts'
import { findings, type Findings } from '../findings.ts'
import { openAttackedVenue, type Engine } from './attackedVenue.ts'

const rounds = 10
const atOnce = 4
/** The defaults of `requestLimits`. */
const openMax = { deposits: 5, withdrawals: 10 }

/** One member asks for as much as the venue takes; what another one asks for must be near the front of its queue. */
export async function fillQueues(main: string, engine: Engine): Promise<Findings & { note: string }> {
  const venue = await openAttackedVenue(main, engine)
  const { found, expect } = findings()
  try {
    const greedy = await venue.member()
    const other = await venue.member()
    await enableWithdrawals(greedy, venue.url, (method, path) => venue.desk(method, path))
    const asks = {
      deposits: (member: BlackBoxClient) =>
        member.postWithKey<{ id: string }>('/api/deposits', { methodId: 'practice-review', amount: '1.00' }),
      withdrawals: (member: BlackBoxClient) =>
        member.postWithKey<{ id: string }>('/api/withdrawals', { amount: '1.00', transactionPassword }),
    }
    const notes: string[] = []
    for (const [queue, ask] of Object.entries(asks) as [keyof typeof asks, (typeof asks)['deposits']][]) {
      const answers: Answer<unknown>[] = []
      for (let i = 0; i < rounds; i++)
        answers.push(...(await Promise.all(Array.from({ length: atOnce }, () => ask(greedy)))))
      const taken = answers.filter(({ status }) => status === 201).length
      const reasons = new Set(answers.map(({ code }) => code ?? 'taken'))
      notes.push(`${queue}: ${taken} of ${answers.length} taken (${[...reasons].join(', ')})`)
      expect(taken > 0 && taken <= openMax[queue], () => `${queue} of one member that wait: ${taken}`)
    }
    const mine = await asks.deposits(other)
    const { body } = await venue.desk<{ items: { id: string; memberId?: string }[] }>(
      'GET',
      '/desk/queues/deposits?limit=100',
    )
    const place = body.items.findIndex(({ id }) => id === mine.body.id)
    expect(place >= 0 && place <= 1, () => `the other member's deposit is number ${place + 1} of its queue`)
    return { ...found, note: notes.join('; ') }
  } finally {
    await venue.close()
  }
}
