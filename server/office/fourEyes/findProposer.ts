import { and, desc, eq } from 'drizzle-orm'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import type { Db } from '../../platform/db/database.ts'
import { proposal } from '../schema.ts'

/** Who proposed what another person confirmed last about a subject; null if one person did it. */
export async function findProposer(
  db: Db,
  act: FourEyesAct,
  subject: { kind: string; id: string },
): Promise<string | null> {
  const [row] = await db
    .select({ by: proposal.proposedBy })
    .from(proposal)
    .where(
      and(
        eq(proposal.act, act),
        eq(proposal.subjectKind, subject.kind),
        eq(proposal.subjectId, subject.id),
        eq(proposal.status, 'confirmed'),
      ),
    )
    .orderBy(desc(proposal.decidedAt))
    .limit(1)
  return row?.by ?? null
}
