import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm'
import { callRoles } from '../../../contract/office/roles.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FourEyesAct, Proposal } from '../../../contract/office/fourEyes.ts'
import { staff, type ProposalRow } from '../schema.ts'
import type { ActDetails } from '../../notices/index.ts'

export type ActParams = Record<string, string | boolean>
/** What is to be done: to which subject, and how. */
export type ActRequest = {
  subject: { kind: string; id: string }
  memberId?: string
  params: ActParams
  /** For the second person. It is kept with the proposal, and is no part of what is proposed. */
  note?: string | undefined
  /** What else the act log says of the proposal. */
  known?: ActDetails
  /** With the proposal of a new password: the hash of the code that its link asks for. */
  firstCodeHash?: string | undefined
  /** The open proposal that who asks has seen, null if there was none: it confirms no other one, and makes none beside it. */
  confirms?: Pick<Proposal, 'id'> | null
}
export const isOtherThanSeen = ({ confirms }: ActRequest, open: ProposalRow | undefined): boolean =>
  confirms !== undefined && confirms?.id !== open?.id
export const toRequest = (row: ProposalRow): ActRequest => ({
  subject: { kind: row.subjectKind, id: row.subjectId },
  ...(row.memberId !== null && { memberId: row.memberId }),
  params: JSON.parse(row.params) as ActParams,
  ...(row.firstCodeHash !== null && { firstCodeHash: row.firstCodeHash }),
})

export function toProposal(row: ProposalRow, notes: ReadonlyMap<string, string>): Proposal {
  const { id, act, memberId, proposedBy, proposedAt, expiresAt, status, decidedBy, decidedAt, reason } = row
  const { subject, params } = toRequest(row)
  const note = notes.get(id) ?? null
  const proposed = { id, act, subject, memberId, params, note, proposedBy, proposedAt, expiresAt }
  return Object.assign(proposed, { status, decidedBy, decidedAt, reason })
}

/** The active staff whose role decides an act. */
const mayDecide = (act: FourEyesAct): SQL | undefined =>
  and(eq(staff.status, 'active'), inArray(staff.role, [...callRoles[act]]))

/** Whether who made the proposal may still decide its act: otherwise only one person would have decided. */
export const isProposerThere = ({ act, proposedBy }: ProposalRow): SQL =>
  sql`EXISTS (SELECT FROM ${staff} WHERE ${and(eq(staff.name, proposedBy), mayDecide(act))})`

/** Whether a person other than its proposer may decide it. */
const hasOther = async (
  db: Db,
  { act, proposedBy }: Pick<Proposal, 'act' | 'proposedBy'>,
): Promise<boolean> => (await db.$count(staff, and(ne(staff.name, proposedBy), mayDecide(act)))) > 0

/** What its proposer is answered who decides it. */
export const secondPersonNeeded = async (
  db: Db,
  of: Pick<Proposal, 'act' | 'proposedBy'>,
): Promise<ApiError> => new ApiError('SECOND_PERSON', { params: { nobodyElse: !(await hasOther(db, of)) } })

/** Says of open ones that nobody else may decide them: the proposer would wait in vain. */
export async function withDeciders(db: Db, proposals: readonly Proposal[]): Promise<Proposal[]> {
  const known = new Map<string, Promise<boolean>>()
  const has = (proposal: Proposal): Promise<boolean> => {
    const key = `${proposal.act} ${proposal.proposedBy}`
    const found = known.get(key) ?? hasOther(db, proposal)
    known.set(key, found)
    return found
  }
  return Promise.all(
    proposals.map(async (proposal) =>
      proposal.status === 'open' && !(await has(proposal)) ? { ...proposal, nobodyElse: true } : proposal,
    ),
  )
}
