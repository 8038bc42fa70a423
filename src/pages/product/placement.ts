import { assertNever } from '../../../contract/brand.ts'
import type { Failure, IntentDraft, Placement } from '../../../streams/index.ts'

/** Why the sheet asks again. */
export type Notice =
  { kind: 'rate'; from: number; to: number } | { kind: 'refused'; failure: Failure } | { kind: 'expired' }

/** The order being confirmed. `asking` is open for a tap; the two after it are on their way and cannot be closed. */
export type Placing =
  | { step: 'closed' }
  | { step: 'asking'; draft: IntentDraft; notice: Notice | undefined }
  | { step: 'sending'; draft: IntentDraft }
  | { step: 'unknown'; draft: IntentDraft }

export const closed: Placing = { step: 'closed' }
export const asking = (draft: IntentDraft): Placing => ({ step: 'asking', draft, notice: undefined })

/** What a placement's next word makes of the sheet. A changed rate becomes the draft's: the next tap accepts it. */
export function afterPlacement(draft: IntentDraft, placement: Placement): Placing {
  switch (placement.state) {
    case 'sending':
      return { step: 'sending', draft }
    case 'unknown':
      return { step: 'unknown', draft }
    case 'accepted':
      return closed
    case 'expired':
      return { step: 'asking', draft, notice: { kind: 'expired' } }
    case 'refused': {
      const to = newRate(placement.failure)
      if (to === undefined) {
        return { step: 'asking', draft, notice: { kind: 'refused', failure: placement.failure } }
      }
      return {
        step: 'asking',
        draft: { ...draft, rateBp: to },
        notice: { kind: 'rate', from: draft.rateBp, to },
      }
    }
    default:
      return assertNever(placement)
  }
}

function newRate(failure: Failure): number | undefined {
  if (failure.kind !== 'refused' || failure.code !== 'RATE_CHANGED') return undefined
  const rate = failure.params['rateBp']
  return typeof rate === 'number' ? rate : undefined
}
