import { eq } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { Random } from '../ports.ts'

/** Crockford's base 32: no letter that is read as a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const memberCodeLength = 8

/** A random text of `length` characters of Crockford's base 32. */
export function randomBase32(random: Random, length: number): string {
  return Array.from(random.bytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}

export const newOpeningCode = (random: Random): string => randomBase32(random, memberCodeLength)

/** As typed → as stored: case does not count, and O, I, L are the digits they are taken for. */
export function normalizeOpeningCode(typed: string): string {
  return typed.trim().toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Whether a code opens an account: the setting's (practice only), or any member's own. */
export async function isOpeningCodeUsable(db: Db, setting: string | null, typed: string): Promise<boolean> {
  const code = normalizeOpeningCode(typed)
  if (setting !== null && code === normalizeOpeningCode(setting)) return true
  if (code.length !== memberCodeLength) return false
  const [owner] = await db.select({ id: member.id }).from(member).where(eq(member.openingCode, code))
  return owner !== undefined
}
