import { useEffect, useState } from 'react'
import type { Failure } from '../../../../streams/index.ts'
import { useVenueUnreachable } from '../../../hooks/useVenueUnreachable.ts'
import { useCall } from '../../../hooks/useCall.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import { evidence, offlineStore } from '../../../state/memberStores.ts'
import type { CompleteProof } from '../../../proof/completeProof.ts'
import { checkOnDevice, type DeviceCheck } from '../../../proof/checkOnDevice.ts'
import { fetchProof } from '../../../proof/fetchProof.ts'

export type ProofState =
  | { step: 'fetching' }
  /** `cachedAt`: when the proof was stored, if it is the offline copy and not the venue's answer. */
  | { step: 'checking'; proof: CompleteProof; cachedAt?: number }
  | ({ step: 'checked'; proof: CompleteProof; at: number; cachedAt?: number } & DeviceCheck)
  | { step: 'failed'; failure: Failure }

/** The public log has its leaf within a second or two of the close: until then the proof is fetched again. */
const leafRetryMs = 2000
const leafRetriesMax = 5
const leafExpectedMs = 60_000

const awaitsLeaf = (state: ProofState): boolean =>
  state.step === 'checked' &&
  state.cachedAt === undefined &&
  state.proof.log === null &&
  state.at - state.proof.order.closeAt < leafExpectedMs

/**
 * Fetches an order's proof with all its pages and checks it on this device, again when the public log has its leaf. While
 * the venue is unreachable, it checks the offline copy instead.
 */
export function useProof(orderId: string): [ProofState, retry: () => void] {
  const call = useCall()
  const { clock, seenHeads } = useStreams()
  const isUnreachable = useVenueUnreachable()
  const [attempt, setAttempt] = useState(0)
  const [leafRetry, setLeafRetry] = useState(0)
  const [shown, setShown] = useState<{ attempt: number; state: ProofState }>({
    attempt,
    state: { step: 'fetching' },
  })
  const { step } = shown.state
  const checked = step === 'checked' && shown.attempt === attempt && shown.state.cachedAt === undefined
  const fromOfflineCopy = isUnreachable && !checked
  const mustRetry = leafRetry < leafRetriesMax && awaitsLeaf(shown.state)
  useEffect(() => {
    if (!mustRetry) return undefined
    const timer = setInterval(() => setLeafRetry((n) => n + 1), leafRetryMs)
    return () => clearInterval(timer)
  }, [mustRetry])
  useEffect(() => {
    const controller = new AbortController()
    const show = (state: ProofState) => {
      if (!controller.signal.aborted) setShown({ attempt, state })
    }
    const run = async () => {
      const offlineCopy = fromOfflineCopy ? await offlineStore.proof(orderId) : undefined
      const fetched = offlineCopy ? undefined : await fetchProof(call, orderId, controller.signal)
      const isRetry = leafRetry > 0
      if (fetched?.ok === false)
        return isRetry ? undefined : show({ step: 'failed', failure: fetched.failure })
      const proof = fetched?.value ?? offlineCopy?.value
      if (proof === undefined || (isRetry && proof.log === null)) return undefined
      const cacheInfo = offlineCopy ? { cachedAt: offlineCopy.at } : {}
      if (!isRetry) show({ step: 'checking', proof, ...cacheInfo })
      const checked = await checkOnDevice(proof, seenHeads)
      // Until the venue's time is known there is only the device's own clock.
      const at = clock.now() || Date.now()
      // Checking an offline copy again yields no new evidence.
      if (offlineCopy) void evidence.markSeen(orderId)
      else if (!controller.signal.aborted) {
        void evidence.recordCheck(proof.order, { ok: checked.report.ok, at }, { looked: true })
      }
      return show({ step: 'checked', proof, ...checked, at, ...cacheInfo })
    }
    void run()
    return () => controller.abort()
    // A checked proof stays checked: only an outage before the check, and its end, run it again.
  }, [call, orderId, attempt, leafRetry, fromOfflineCopy, clock, seenHeads])
  const retry = (): void => {
    setLeafRetry(0)
    setAttempt((n) => n + 1)
  }
  return [shown.attempt === attempt ? shown.state : { step: 'fetching' }, retry]
}
