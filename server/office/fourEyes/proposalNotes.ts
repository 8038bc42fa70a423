import { inArray } from 'drizzle-orm'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Random } from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createVault } from '../../platform/vault.ts'
import { proposalNote } from '../schema.ts'

/** What the first person wrote for the second. Its words are sealed. */
export type ProposalNotes = {
  /** By the id of the proposal. */
  of(proposalIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** In the transaction that makes the proposal. */
  add(tx: DbTransaction, proposalId: string, memberId: string | null, note: string): Promise<void>
}

export type ProposalNotesParts = {
  db: Db
  random: Pick<Random, 'bytes' | 'uuid'>
  secrets: Pick<Secrets, 'uploadKey'>
}

export function createProposalNotes({ db, random, secrets }: ProposalNotesParts): ProposalNotes {
  const vault = createVault(secrets.uploadKey, 'notes on proposals', random)
  return {
    of: async (proposalIds) => {
      if (proposalIds.length === 0) return new Map()
      const rows = await db
        .select()
        .from(proposalNote)
        .where(inArray(proposalNote.proposalId, [...proposalIds]))
      return new Map(
        rows.map(({ proposalId, bodySealed }) => [
          proposalId,
          vault.decrypt(bodySealed, proposalId).toString(),
        ]),
      )
    },
    add: async (tx, proposalId, memberId, note) => {
      const bodySealed = vault.encrypt(note, proposalId)
      await tx.insert(proposalNote).values({ proposalId, memberId, bodySealed })
    },
  }
}
