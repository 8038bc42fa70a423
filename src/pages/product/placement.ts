import { assertNever } from '../../../contract/units.ts'
import type { Failure, OrderDraft, Placement } from '../../../streams/index.ts'

/** Why the sheet requires another confirmation. */
export type Notice =
  | { kind: 'rate'; from: number; to: number }
  /** The rate of the order whose terms these are was another one. */
  | { kind: 'rateThen'; from: number; to: number }
  | { kind: 'rejected'; failure: Failure }
  | { kind: 'expired' }

/**
 * The order being confirmed, or placed by one tap: that is `placing` until the venue answers. `reviewing` waits for the confirmation; during `sending` and `unknown` the sheet cannot
 * be closed.
 */
export type PlacementState =
  | { step: 'closed' }
  | { step: 'reviewing'; draft: OrderDraft; notice: Notice | undefined }
  | { step: 'placing'; draft: OrderDraft }
  | { step: 'sending'; draft: OrderDraft }
  | { step: 'unknown'; draft: OrderDraft }

export const closed: PlacementState = { step: 'closed' }
/** @param rateBpThen the rate of the order whose terms the draft repeats */
export const reviewing = (draft: OrderDraft, rateBpThen: number = draft.rateBp): PlacementState => ({
  step: 'reviewing',
  draft,
  notice: rateBpThen === draft.rateBp ? undefined : { kind: 'rateThen', from: rateBpThen, to: draft.rateBp },
})

/** Whether the sheet is open. */
export const isInSheet = (
  placement: PlacementState,
): placement is Exclude<PlacementState, { step: 'closed' | 'placing' }> =>
  placement.step !== 'closed' && placement.step !== 'placing'

/** The sheet's state after an update of the placement. A changed rate becomes the draft's: the next tap accepts it. */
export function afterPlacement(
  draft: OrderDraft,
  placement: Placement,
  sending: 'sending' | 'placing' = 'sending',
): PlacementState {
  switch (placement.state) {
    case 'sending':
      return { step: sending, draft }
    case 'unknown':
      return { step: 'unknown', draft }
    case 'accepted':
      return closed
    case 'expired':
      return { step: 'reviewing', draft, notice: { kind: 'expired' } }
    case 'rejected': {
      const to = newRate(placement.failure)
      if (to === undefined) {
        return { step: 'reviewing', draft, notice: { kind: 'rejected', failure: placement.failure } }
      }
      return {
        step: 'reviewing',
        draft: { ...draft, rateBp: to },
        notice: { kind: 'rate', from: draft.rateBp, to },
      }
    }
    default:
      return assertNever(placement)
  }
}

function newRate(failure: Failure): number | undefined {
  if (failure.kind !== 'rejected' || failure.code !== 'RATE_CHANGED') return undefined
  const rate = failure.params['rateBp']
  return typeof rate === 'number' ? rate : undefined
}
