import { and, eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { Random } from '../../platform/ports.ts'
import { randomBase32 } from '../../platform/random.ts'
import { isOpenAccount } from './account.ts'

const memberCodeLength = 8

export const newOpeningCode = (random: Random): string => randomBase32(random, memberCodeLength)

/** The stored form of a typed code: upper case, and O, I and L become the digits they are mistaken for. */
export function normalizeOpeningCode(typed: string): string {
  return typed.trim().toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** A stored code as it is handed out: that of the settings in its own spelling. */
export const shownOpeningCode = (setting: string | null, stored: string): string =>
  setting !== null && normalizeOpeningCode(setting) === stored ? setting : stored

/** Whether a code is the one of the settings (practice mode only) or belongs to a member whose account is open. */
export async function isOpeningCodeUsable(db: Db, setting: string | null, typed: string): Promise<boolean> {
  const code = normalizeOpeningCode(typed)
  if (setting !== null && code === normalizeOpeningCode(setting)) return true
  if (code.length !== memberCodeLength) return false
  const ofMember = and(eq(member.openingCode, code), isOpenAccount)
  const [owner] = await db.select({ id: member.id }).from(member).where(ofMember)
  return owner !== undefined
}
