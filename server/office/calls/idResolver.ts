import { eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { deposit, withdrawal } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import { accountMatches } from '../../members/index.ts'

/** Resolves what customer service types, which is what the member's screens show, to ids. Throws `NOT_FOUND` if not found. */
export type IdResolver = {
  /** A member's id or account. */
  member(input: string): Promise<string>
  /** The id of the member with this id or account; otherwise returns the input unchanged. */
  memberOrInput(input: string): Promise<string>
  /** A deposit's id or number. */
  deposit(input: string): Promise<string>
  /** A withdrawal's id or number. */
  withdrawal(input: string): Promise<string>
  /**
   * What rows of the act log are about: a member, or a request or order with its proposals and its proof; else what has the
   * input as its id. Never `NOT_FOUND`.
   */
  subjects(input: string): Promise<{ memberId: string } | { subjectIds: string[] }>
}

export function createIdResolver(db: Db): IdResolver {
  const memberOf = async (input: string): Promise<string | undefined> => {
    const [row] = await db
      .select({ id: member.id })
      .from(member)
      .where(or(eq(member.id, input), accountMatches(input)))
    return row?.id
  }
  return {
    subjects: async (pasted) => {
      const input = pasted.trim()
      const memberId = await memberOf(input)
      return memberId === undefined ? { subjectIds: await readSubjects(db, input) } : { memberId }
    },
    member: async (input) => (await memberOf(input)) ?? throwNotFound(),
    memberOrInput: async (input) => (await memberOf(input)) ?? input,
    deposit: async (input) => {
      const matchesInput = or(eq(deposit.id, input), eq(deposit.no, input.toUpperCase()))
      const [row] = await db.select({ id: deposit.id }).from(deposit).where(matchesInput)
      return row?.id ?? throwNotFound()
    },
    withdrawal: async (input) => {
      const matchesInput = or(eq(withdrawal.id, input), eq(withdrawal.no, input.toUpperCase()))
      const [row] = await db.select({ id: withdrawal.id }).from(withdrawal).where(matchesInput)
      return row?.id ?? throwNotFound()
    },
  }
}

async function readSubjects(db: Db, input: string): Promise<string[]> {
  const no = input.toUpperCase()
  const { rows } = await db.execute<{ id: string }>(sql`
    WITH request AS (
      SELECT id, proof_upload_id FROM deposit WHERE id = ${input} OR no = ${no}
      UNION ALL SELECT id, NULL FROM withdrawal WHERE id = ${input} OR no = ${no}
      UNION ALL SELECT id, NULL FROM orders WHERE id = ${input} OR no = ${no}
      UNION ALL SELECT ${input}, NULL
    )
    SELECT id FROM request
    UNION SELECT proof_upload_id FROM request WHERE proof_upload_id IS NOT NULL
    UNION SELECT p.id FROM proposal p JOIN request r ON r.id = p.subject_id`)
  return rows.map(({ id }) => id)
}

function throwNotFound(): never {
  throw new ApiError('NOT_FOUND')
}
