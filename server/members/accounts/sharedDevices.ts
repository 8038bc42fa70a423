import { and, eq, ne } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../platform/db/database.ts'
import { session } from '../../platform/db/schema.ts'
import { networkOf } from './network.ts'

/**
 * The other members who are logged in from an address of the member with the same kind of device: the venue stores no
 * device. Addresses that are not of the internet say nothing.
 */
export async function readSharedDevices(db: Db, memberId: string): Promise<string[]> {
  const own = alias(session, 'own')
  const rows = await db
    .selectDistinct({ id: session.memberId, ip: own.ip })
    .from(own)
    .innerJoin(session, and(eq(session.ip, own.ip), eq(session.device, own.device)))
    .where(and(eq(own.memberId, memberId), ne(session.memberId, memberId)))
  return [...new Set(rows.filter(({ ip }) => networkOf(ip) !== 'local').map(({ id }) => id))]
}
