import type { DangerName } from '../../../contract/office/queues.ts'
import { readLastingFacts, type LastingFactsParts } from './lastingFacts.ts'
import type { RequestFacts } from './requestFacts.ts'

export type StandingDangersParts = LastingFactsParts & {
  requestFacts: Pick<RequestFacts, 'deposit' | 'withdrawal'>
}

/**
 * What could be wrong with a request as it is: stored with the act that approves it, so that it is seen later what was
 * approved in spite of it. As details of a row of the act log: nothing without a danger. `readMarks` of `queueMarks.ts` finds
 * those that may change later once more for lists, and the office's `useDangers` says them in words.
 */
export type StandingDangers = Record<'deposit' | 'withdrawal', (id: string) => Promise<{ dangers?: string }>>

export function createStandingDangers(parts: StandingDangersParts): StandingDangers {
  const { requestFacts } = parts
  return {
    deposit: async (id) => {
      const { memberId, proofUploadId, sameProof, declined } = await requestFacts.deposit(id)
      const { frozen } = await readLastingFacts(parts, memberId)
      return asDetails({
        frozen: frozen !== null,
        noProof: proofUploadId === null,
        usedProof: sameProof.length > 0,
        declined: declined.length > 0,
      })
    },
    withdrawal: async (id) => {
      const { memberId, nameMatches, freshChanges, declined } = await requestFacts.withdrawal(id)
      const { frozen, sameCard } = await readLastingFacts(parts, memberId)
      return asDetails({
        frozen: frozen !== null,
        otherPayee: !nameMatches,
        sameCard: sameCard.length > 0,
        freshChange: freshChanges.length > 0,
        declined: declined.length > 0,
      })
    },
  }
}

function asDetails(found: Partial<Record<DangerName, boolean>>): { dangers?: string } {
  const dangers = Object.entries(found).flatMap(([name, isThere]) => (isThere ? [name] : []))
  return dangers.length === 0 ? {} : { dangers: dangers.join(' ') }
}
