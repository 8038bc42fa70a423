import {
  registerMember,
  blackBoxClient,
  transactionPassword,
  type Answer,
  type BlackBoxClient,
} from '../../support/blackBoxClient.ts'
import { productRow, walk } from '../../support/productRow.ts'

/** A request that moves money, and its answer if there was one. */
export type SentCall = {
  readonly path: string
  readonly body: unknown
  readonly key: string
  answer: Answer<{ id: string }> | null
}

/** The duration of the tests' product: orders settle soon after the next start. */
export const seconds = 1
export const rateBp = 8000

/** What the traders trade. */
export const tradedProduct = productRow('TEST', {
  durations: [{ seconds, rateBp, min: '1.00', max: '1000.00' }],
  maxTickGapMs: 2000,
  entryTimeoutMs: 1000,
  feed: walk({ ticksPerSecond: 5 }),
})

type Random = { next(): number; uuid(): string }

/** A member who trades on several lanes at once until the venue is killed, and records every request. */
export type Trader = {
  readonly sent: SentCall[]
  /** Uses the venue at this URL from now on. */
  moveTo(url: string): void
  /**
   * Sends until a request gets no answer, with `lanes` requests in flight. Calls `onAnswer` for each answer, which ends
   * it by returning false.
   */
  trade(random: Random, lanes: number, onAnswer: () => unknown): Promise<void>
  /** The member's client at the venue's current URL. */
  client(): BlackBoxClient
}

export async function openTrader(url: string, account: string, phone: string): Promise<Trader> {
  let client = await registerMember(url, account, phone)
  const sent: SentCall[] = []
  let onEachAnswer = (): unknown => undefined
  const state = { isOver: false }

  const send = async (path: string, body: unknown, key: string): Promise<SentCall> => {
    const sentCall: SentCall = { path, body, key, answer: null }
    sent.push(sentCall)
    sentCall.answer = await client.postWithKey<{ id: string }>(path, body, key)
    if (onEachAnswer() === false) state.isOver = true
    return sentCall
  }
  const order = (random: Random): object => ({
    productId: 'TEST',
    direction: random.next() < 0.5 ? 'up' : 'down',
    amount: `${1 + Math.floor(random.next() * 20)}.00`,
    seconds,
    rateBp,
    validUntil: Date.now() + 20_000,
  })
  const withdraw = async (random: Random): Promise<void> => {
    const withdrawal = await send('/api/withdrawals', { amount: '3.00', transactionPassword }, random.uuid())
    const id = withdrawal.answer?.body.id
    if (id !== undefined && random.next() < 0.7) {
      await send(`/api/withdrawals/${id}/cancel`, undefined, random.uuid())
    }
  }
  const randomCall = async (random: Random): Promise<unknown> => {
    const turn = random.next()
    if (turn < 0.7) return send('/api/orders', order(random), random.uuid())
    if (turn < 0.8) return send('/api/deposits', { methodId: 'practice', amount: '5.00' }, random.uuid())
    if (turn < 0.9) return send('/api/fund/deposits', { amount: '2.00' }, random.uuid())
    return withdraw(random)
  }
  const lane = async (random: Random): Promise<void> => {
    try {
      while (!state.isOver) await randomCall(random)
    } catch (error) {
      // fetch fails in this way if the server is killed; any other error is a defect of the test.
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error
    }
  }
  return {
    sent,
    client: () => client,
    moveTo: (address) => void (client = blackBoxClient(address, client.session)),
    trade: async (random, lanes, onAnswer) => {
      onEachAnswer = onAnswer
      state.isOver = false
      await Promise.all(Array.from({ length: lanes }, () => lane(random)))
    },
  }
}
