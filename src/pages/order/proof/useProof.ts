import { useEffect, useState } from 'react'
import type { Failure } from '../../../../streams/index.ts'
import { useAway } from '../../../hooks/useAway.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import { evidence, offline } from '../../../state/offlineMember.ts'
import type { WholeProof } from '../../../proof/collect.ts'
import { checkHere } from '../../../proof/checkHere.ts'
import type { CheckedHere } from '../../../proof/checkHere.ts'
import { fetchProof } from '../../../proof/fetch.ts'

export type ProofState =
  | { step: 'fetching' }
  /** `keptAt`: not the venue's present answer but the one that was seen last, then. */
  | { step: 'checking'; proof: WholeProof; keptAt?: number }
  | ({ step: 'checked'; proof: WholeProof; at: number; keptAt?: number } & CheckedHere)
  | { step: 'failed'; failure: Failure }

/**
 * Fetches an order's proof, with all its pages, and checks it on this device. Where the venue cannot be reached, the
 * proof that was seen last is checked in its place, until it can.
 */
export function useProof(orderId: string): [ProofState, retry: () => void] {
  const { clock, seenHeads } = useStreams()
  const away = useAway()
  const [turn, setTurn] = useState(0)
  const [shown, setShown] = useState<{ turn: number; state: ProofState }>({
    turn,
    state: { step: 'fetching' },
  })
  const { step } = shown.state
  const checked = step === 'checked' && shown.turn === turn && shown.state.keptAt === undefined
  const cut = away && !checked
  useEffect(() => {
    const leaving = new AbortController()
    const show = (state: ProofState) => {
      if (!leaving.signal.aborted) setShown({ turn, state })
    }
    const run = async () => {
      const kept = cut ? await offline.proof(orderId) : undefined
      const whole = kept ? undefined : await fetchProof(orderId, leaving.signal)
      if (whole?.ok === false) return show({ step: 'failed', failure: whole.failure })
      const proof = whole?.value ?? kept?.value
      if (proof === undefined) return undefined
      const from = kept ? { keptAt: kept.at } : {}
      show({ step: 'checking', proof, ...from })
      const checked = await checkHere(proof, seenHeads)
      // Before the venue was ever heard there is only the device's own time to tell.
      const at = clock.now() || Date.now()
      // Of what lay here already nothing new is found out.
      if (kept) void evidence.look(orderId)
      else if (!leaving.signal.aborted) {
        void evidence.keepCheck(proof.order, { ok: checked.report.ok, at }, { looked: true })
      }
      return show({ step: 'checked', proof, ...checked, at, ...from })
    }
    void run()
    return () => leaving.abort()
    // What is checked stays checked: only an outage before that, and its end, ask again.
  }, [orderId, turn, cut, clock, seenHeads])
  return [shown.turn === turn ? shown.state : { step: 'fetching' }, () => setTurn((n) => n + 1)]
}
