import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../../contract/canonicalJson.ts'
import type { Proposal } from '../../../contract/office/fourEyes.ts'
import { isRequestKind, type RequestKind } from '../../../contract/office/schema.ts'
import type { ActLog } from '../../notices/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Person } from '../fourEyes/fourEyes.ts'
import { secondPersonNeeded } from '../fourEyes/proposalView.ts'
import { assertNoFreezeProposed, readLastingFacts, type LastingFactsParts } from './lastingFacts.ts'
import type { RequestFacts } from './requestFacts.ts'

type Pictures = {
  proofUploadId?: string | null
  frontUploadId?: string
  backUploadId?: string
}
type Request = Pictures & { id: string; memberId: string; proposal?: Proposal | null }

/** What decides a deposit or a verification as much as its words. */
const picturesOf = ({ proofUploadId, frontUploadId, backUploadId }: Pictures): string[] =>
  [proofUploadId, frontUploadId, backUploadId].filter((id) => typeof id === 'string')

/**
 * Nobody approves what they have not opened. A look at a request is a row of the act log with a keyed hash of what was
 * shown; an approval needs one of this person whose hash is that of now, so that what has changed since is opened again.
 */
export type SeenFacts = {
  /** Writes the row of a look, unless the same was shown to the person in the last ten minutes. Throws `RECORDS_LIMIT`. */
  look(kind: RequestKind, request: Request, actor: string): Promise<void>
  /** The same of a member's facts, which decide what is proposed about the member. */
  lookAtMember(memberId: string, actor: string): Promise<void>
  /**
   * Before an approval, a payment or a rejection. Returns the open proposal about it that was seen.
   * @throws ApiError `OPEN_FIRST`; `SECOND_PERSON` if it is one's own; unless it rejects, `FREEZE_PROPOSED`
   */
  assertSeen(
    person: Person,
    kind: RequestKind,
    id: string,
    how?: { rejects: boolean },
  ): Promise<Proposal | null>
  /** Before another one's proposal is confirmed: what it is about, or the member's facts. @throws ApiError `OPEN_FIRST` */
  assertSeenFor(person: Person, proposal: Proposal): Promise<void>
}

export type SeenFactsParts = LastingFactsParts & {
  requestFacts: RequestFacts
  actLog: Pick<ActLog, 'look' | 'hasSeen' | 'hasSeenPicture'>
  secrets: Pick<Secrets, 'uploadKey'>
}

const hashDigits = 16

export function createSeenFacts(parts: SeenFactsParts): SeenFacts {
  const { actLog, requestFacts } = parts
  const key = deriveKey(parts.secrets.uploadKey, 'seen facts')
  const hashOf = (shown: unknown): string =>
    createHmac('sha256', key).update(canonicalJson(shown)).digest('hex').slice(0, hashDigits)
  const hashOfRequest = async (request: Request): Promise<string> =>
    hashOf([request, await readLastingFacts(parts, request.memberId)])
  const hashOfMember = async (memberId: string): Promise<string> =>
    hashOf(await readLastingFacts(parts, memberId))
  const assertHas = async (actor: string, subject: Proposal['subject'], hash: string): Promise<void> => {
    if (!(await actLog.hasSeen({ actor, subject, hash }))) throw new ApiError('OPEN_FIRST')
  }
  const assertSeen: SeenFacts['assertSeen'] = async (
    { actor, isStaff },
    kind,
    id,
    { rejects } = { rejects: false },
  ) => {
    const request: Request = await requestFacts[kind](id)
    const { proposal = null } = request
    // Here, where nothing else is checked any more: one's own may be taken back before the decision.
    if (proposal?.proposedBy === actor && proposal.act.endsWith('.reject') === rejects)
      throw await secondPersonNeeded(parts.db, proposal)
    // What is taken back is not lost to a member who may have to be frozen.
    if (!rejects) await assertNoFreezeProposed(parts, request.memberId)
    // The desk key names no person.
    if (!isStaff) return proposal
    await assertHas(actor, { kind, id: request.id }, await hashOfRequest(request))
    for (const picture of picturesOf(request))
      if (!(await actLog.hasSeenPicture(actor, picture))) throw new ApiError('OPEN_FIRST')
    return proposal
  }
  return {
    look: async (kind, request, actor) => {
      const { id, memberId } = request
      await actLog.look({ actor, subject: { kind, id }, memberId, hash: await hashOfRequest(request) })
    },
    lookAtMember: async (memberId, actor) => {
      const subject = { kind: 'facts', id: memberId }
      await actLog.look({ actor, subject, memberId, hash: await hashOfMember(memberId) })
    },
    assertSeen,
    assertSeenFor: async (person, { act, subject, memberId, proposedBy, status, expiresAt }) => {
      // Otherwise it is not confirmed, for a reason that says more.
      const canConfirm = status === 'open' && expiresAt > parts.clock.now() && proposedBy !== person.actor
      if (!canConfirm || !person.isStaff || memberId === null) return
      if (isRequestKind(subject.kind)) {
        await assertSeen(person, subject.kind, subject.id, { rejects: act.endsWith('.reject') })
        return
      }
      if (act === 'withdrawal-accounts.unbind') await assertNoFreezeProposed(parts, memberId)
      await assertHas(person.actor, { kind: 'facts', id: memberId }, await hashOfMember(memberId))
    },
  }
}
