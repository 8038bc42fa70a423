import { lt } from 'drizzle-orm'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { usedTicket } from '../schema.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { createVault } from '../../platform/vault.ts'

/** The first bytes of a ticket are the random start of its encryption, and no other ticket has them. */
const nonceBytes = 12

export type Ticket = { id: string; expiresAt: number }
/** What a ticket contains, until it is used. */
export type OpenTicket = {
  value: unknown
  /** False if it is used already. A concurrent second use waits for the transaction. */
  use(tx: Db | DbTransaction): Promise<boolean>
}

/**
 * Short-lived tickets that are used once: a challenge, a login that waits for its second factor. A ticket contains its
 * value, encrypted, so issuing one stores nothing and every node can read it; the database stores those that were used.
 */
export type Tickets = {
  /** @param purpose a ticket is valid for this purpose only */
  issue(purpose: string, value: unknown, ttlMs: number): Ticket
  /** Null if it was not issued for this purpose, or has expired. */
  read(purpose: string, id: string): OpenTicket | null
  /** Deletes used tickets that have expired, and returns how many. */
  prune(fence: Fence): Promise<number>
}

/** @param secret is stored outside the database */
export type TicketsParts = { db: Db; clock: Pick<Clock, 'now'>; random: Random; secret: Uint8Array }

export function createTickets({ db, clock, random, secret }: TicketsParts): Tickets {
  const vault = createVault(secret, 'tickets', random)
  const decrypt = (bytes: Buffer, purpose: string): { value: unknown; expiresAt: number } | null => {
    try {
      return JSON.parse(vault.decrypt(bytes, purpose).toString()) as { value: unknown; expiresAt: number }
    } catch {
      // Not a ticket that this venue issued for this purpose.
      return null
    }
  }
  return {
    issue: (purpose, value, ttlMs) => {
      const expiresAt = clock.now() + ttlMs
      const id = vault.encrypt(JSON.stringify({ value, expiresAt }), purpose).toString('base64url')
      return { id, expiresAt }
    },
    read: (purpose, id) => {
      const bytes = Buffer.from(id, 'base64url')
      const ticket = decrypt(bytes, purpose)
      if (ticket === null || ticket.expiresAt < clock.now()) return null
      const used = { id: bytes.toString('hex', 0, nonceBytes), expiresAt: ticket.expiresAt }
      return {
        value: ticket.value,
        use: async (tx) => {
          const first = await tx
            .insert(usedTicket)
            .values(used)
            .onConflictDoNothing()
            .returning({ id: usedTicket.id })
          return first.length > 0
        },
      }
    },
    prune: async (fence) => {
      const deleted = await fence.transaction(db, (tx) =>
        tx.delete(usedTicket).where(lt(usedTicket.expiresAt, clock.now())),
      )
      return deleted.rowCount ?? 0
    },
  }
}
