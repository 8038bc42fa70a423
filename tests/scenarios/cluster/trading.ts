import { setTimeout as wait } from 'node:timers/promises'
import { blackBoxClient, newKey } from '../../support/blackBoxClient.ts'
import type { seededRandom } from '../../support/random.ts'
import { rateBp, seconds, type SentCall, type Trader } from '../kill/trader.ts'
import type { Cluster } from './cluster.ts'
import type { FaultReport } from './faultRun.ts'

type Plan = {
  cluster: Cluster
  traders: readonly Trader[]
  /** Orders per second. */
  rate: number
  /** At most so many requests are open: a venue that is too slow for the rate gets fewer. */
  openMax: number
  /** What orders run for, at random; default: what all products offer. */
  durations?: readonly number[]
  random: ReturnType<typeof seededRandom>
  report: FaultReport
}

const retryMs = 20
/** A venue whose nodes all start again is away for long on a busy machine. */
const giveUpMs = 180_000
/** So many orders come between two deposits. */
const ordersPerDeposit = 5

/**
 * Places orders at a rate, at each edge in turn, with a deposit now and then; a request that has no answer, or that the
 * venue could not answer, is repeated with its key at the next edge, as clients do.
 */
export function tradeAtRate({
  cluster,
  traders,
  rate,
  openMax,
  durations = [seconds],
  random,
  report,
}: Plan) {
  const state = { open: 0, accepted: 0, acceptedAt: performance.now(), refusal: '', isEnding: false }
  const failures: unknown[] = []

  const send = async (turn: number, trader: Trader, path: string, body: object): Promise<void> => {
    const call: SentCall = { path, body, key: newKey(), answer: null }
    trader.sent.push(call)
    const startedAt = performance.now()
    for (let next = turn; call.answer === null; next += 1) {
      const answer = await sendOnce(next, trader, call)
      call.answer = answer?.status === 503 ? null : answer
      if (call.answer !== null) break
      if (performance.now() - startedAt > giveUpMs)
        throw new Error(`${path} had no answer${answer === null ? '' : ` but ${answer.text}`}`)
      report.repeated += 1
      await wait(retryMs)
    }
    const isAccepted = call.answer.status < 300
    if (isAccepted) report.acknowledged += 1
    if (path !== '/api/orders') return
    report.answerMs.push(performance.now() - startedAt)
    if (isAccepted) Object.assign(state, { accepted: state.accepted + 1, acceptedAt: performance.now() })
    else state.refusal = call.answer.text
  }
  const sendOnce = async (turn: number, trader: Trader, call: SentCall): Promise<SentCall['answer']> => {
    const edges = cluster.edges()
    const edge = edges[turn % edges.length]
    if (!edge) return null
    try {
      const client = blackBoxClient(edge.url, trader.client().session)
      return await client.postWithKey<{ id: string }>(call.path, call.body, call.key)
    } catch (error) {
      // What `fetch` says when the edge is killed or stopped; anything else is a defect of the test.
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error
      if (!edge.isEnding())
        report.violations.lost.push(`an edge that runs gave no answer: ${String(error.cause)}`)
      return null
    }
  }
  const order = (): object => ({
    productId: 'TEST',
    direction: random.next() < 0.5 ? 'up' : 'down',
    amount: `${1 + Math.floor(random.next() * 20)}.00`,
    seconds: durations[Math.floor(random.next() * durations.length)],
    rateBp,
    validUntil: Date.now() + 20_000,
  })
  const trading = (async (): Promise<void> => {
    const sent: Promise<void>[] = []
    const startedAt = performance.now()
    for (let index = 0; !state.isEnding; index += 1) {
      const trader = traders[index % traders.length]
      if (!trader) throw new Error('nobody trades')
      const begin = (path: string, body: object): void => {
        // Each member in turn, and each edge when all have had theirs: every member trades at every edge.
        const turn = Math.floor(index / traders.length)
        state.open += 1
        const answered = send(turn, trader, path, body).finally(() => (state.open -= 1))
        sent.push(answered.catch((error: unknown) => void failures.push(error)))
      }
      begin('/api/orders', order())
      if (index % ordersPerDeposit === 0) begin('/api/deposits', { methodId: 'practice', amount: '5.00' })
      await wait(Math.max(0, startedAt + ((index + 1) * 1000) / rate - performance.now()))
      while (state.open >= openMax) await wait(retryMs)
    }
    await Promise.all(sent)
  })()
  const check = (): void => {
    if (failures.length > 0) throw failures[0]
    if (performance.now() - state.acceptedAt > giveUpMs)
      throw new Error(`no order was accepted for long; the last refusal: ${state.refusal}`)
  }
  return {
    /** Waits for so many more accepted orders: on a busy machine live prices are late after a fault, and orders are refused. */
    count: async (more: number): Promise<void> => {
      const until = state.accepted + more
      while (state.accepted < until) {
        check()
        await Promise.race([wait(retryMs), trading])
      }
    },
    end: async (): Promise<void> => {
      state.isEnding = true
      await trading
      check()
    },
  }
}
