import { and, eq } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { Random } from '../ports.ts'
import { isOpenAccount } from './account.ts'

/** Crockford's base 32: has no letter that can be mistaken for a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const memberCodeLength = 8

/** A random text of `length` characters of Crockford's base 32. */
export function randomBase32(random: Random, length: number): string {
  return Array.from(random.bytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}

export const newOpeningCode = (random: Random): string => randomBase32(random, memberCodeLength)

/** The stored form of a typed code: upper case, and O, I and L become the digits they are mistaken for. */
export function normalizeOpeningCode(typed: string): string {
  return typed.trim().toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Whether a code is the one of the settings (practice mode only) or belongs to a member whose account is open. */
export async function isOpeningCodeUsable(db: Db, setting: string | null, typed: string): Promise<boolean> {
  const code = normalizeOpeningCode(typed)
  if (setting !== null && code === normalizeOpeningCode(setting)) return true
  if (code.length !== memberCodeLength) return false
  const ofMember = and(eq(member.openingCode, code), isOpenAccount)
  const [owner] = await db.select({ id: member.id }).from(member).where(ofMember)
  return owner !== undefined
}
