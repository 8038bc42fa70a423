import { and, desc, eq, lt } from 'drizzle-orm'
import type { MemberNote } from '../../../contract/office/memberHistory.ts'
import type { ActLog } from '../../notices/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { memberNote } from '../schema.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createVault } from '../../platform/vault.ts'

/** What the staff note about a member, for their colleagues. */
export type MemberNotes = {
  /** Newest first. The caller writes the row of the act log. */
  list(memberId: string, page: PageRequest): Promise<PagedList<MemberNote>>
  /** The newest one, and how many there are. The caller writes the row of the act log. */
  latest(memberId: string): Promise<{ latestNote: MemberNote | null; noteCount: number }>
  /** Throws `CONFLICT` if the account is closed. */
  add(memberId: string, body: string, actor: string): Promise<MemberNote>
}

export type MemberNotesParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  actLog: Pick<ActLog, 'write'>
  secrets: Pick<Secrets, 'uploadKey'>
}

export function createMemberNotes({ db, clock, random, actLog, secrets }: MemberNotesParts): MemberNotes {
  const vault = createVault(secrets.uploadKey, 'notes of the staff', random)
  const list: MemberNotes['list'] = async (memberId, page) => {
    const after = readCursor(page.cursor)
    const rows = await db
      .select()
      .from(memberNote)
      .where(and(eq(memberNote.memberId, memberId), after ? lt(memberNote.no, after[0]) : undefined))
      .orderBy(desc(memberNote.no))
      .limit(page.limit + 1)
    return toPagedList(
      rows,
      page.limit,
      ({ id, at, author, bodySealed }) => ({
        id,
        at,
        by: author,
        body: vault.decrypt(bodySealed, id).toString(),
      }),
      ({ no }) => [no, ''],
    )
  }
  return {
    list,
    latest: async (memberId) => {
      const { items } = await list(memberId, { limit: 1 })
      const noteCount = await db.$count(memberNote, eq(memberNote.memberId, memberId))
      return { latestNote: items[0] ?? null, noteCount }
    },
    add: async (memberId, body, actor) => {
      const id = random.uuid()
      const note = { id, memberId, author: actor, at: clock.now() }
      await db.transaction(async (tx) => {
        // What is noted later would outlive the erasure.
        const [owner] = await tx
          .select({ closedAt: member.closedAt })
          .from(member)
          .where(eq(member.id, memberId))
          .for('key share')
        if (owner?.closedAt !== null) throw new ApiError('CONFLICT')
        await tx.insert(memberNote).values({ ...note, bodySealed: vault.encrypt(body, id) })
        await actLog.write(tx, { actor, act: 'note', subject: { kind: 'member', id: memberId }, memberId })
      })
      return { id, at: note.at, by: actor, body }
    },
  }
}
