import { and, eq, inArray } from 'drizzle-orm'
import { fourEyesActs } from '../../../contract/office/fourEyes.ts'
import { callRoles } from '../../../contract/office/roles.ts'
import type { Clock } from '../../platform/ports.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { endedByVenue, proposal, type StaffRow } from '../schema.ts'

/** A proposal is one of the two persons' words: it does not outlast that person's right to give it. */
export async function closeProposalsOf(
  tx: DbTransaction,
  { name, role, status }: StaffRow,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const lost = fourEyesActs.filter((act) => status !== 'active' || !callRoles[act].includes(role))
  if (lost.length === 0) return
  await tx
    .update(proposal)
    .set(endedByVenue(clock.now()))
    .where(and(eq(proposal.proposedBy, name), eq(proposal.status, 'open'), inArray(proposal.act, lost)))
}
