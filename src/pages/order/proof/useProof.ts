import { useEffect, useState } from 'react'
import { orderRoutes } from '../../../../contract/orders.ts'
import { productRoutes } from '../../../../contract/products.ts'
import type { Failure } from '../../../../streams/index.ts'
import { call } from '../../../api/venue.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import type { ProofReport } from './check.ts'
import { checkProof } from './check.ts'
import type { TicksAfter, WholeProof } from './collect.ts'
import { collectProof } from './collect.ts'

export type ProofState =
  | { step: 'fetching' }
  | { step: 'checking'; proof: WholeProof }
  | { step: 'checked'; proof: WholeProof; report: ProofReport; at: number }
  | { step: 'failed'; failure: Failure }

const ticksAfter: TicksAfter = (id, afterSeq, limit) =>
  call(productRoutes.ticks, { params: { id }, query: { afterSeq: String(afterSeq), limit: String(limit) } })

/** Lets the page draw and answer taps between two chunks of work. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Fetches an order's proof, with all its pages, and checks it on this device. */
export function useProof(orderId: string): [ProofState, retry: () => void] {
  const { clock, seenHeads } = useStreams()
  const [turn, setTurn] = useState(0)
  const [shown, setShown] = useState<{ turn: number; state: ProofState }>({
    turn,
    state: { step: 'fetching' },
  })
  useEffect(() => {
    const leaving = new AbortController()
    const show = (state: ProofState) => {
      if (!leaving.signal.aborted) setShown({ turn, state })
    }
    const run = async () => {
      const first = await call(
        orderRoutes.orderProof,
        { params: { id: orderId } },
        { signal: leaving.signal },
      )
      if (!first.ok) return show({ step: 'failed', failure: first.failure })
      const whole = await collectProof(first.value, ticksAfter)
      if (!whole.ok) return show({ step: 'failed', failure: whole.failure })
      const proof = whole.value
      show({ step: 'checking', proof })
      const report = await checkProof(proof, seenHeads(proof.order.productId), pause)
      return show({ step: 'checked', proof, report, at: clock.now() })
    }
    void run()
    return () => leaving.abort()
  }, [orderId, turn, clock, seenHeads])
  return [shown.turn === turn ? shown.state : { step: 'fetching' }, () => setTurn((n) => n + 1)]
}
