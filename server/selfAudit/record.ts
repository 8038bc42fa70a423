import { eq } from 'drizzle-orm'
import type { AuditHead } from '../audit/auditChain.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { setting } from '../db/schema/setting.ts'
import { addSetting, readSetting, writeSetting } from '../db/settingValue.ts'
import type { VerifiedHead } from '../market/log/verifyLog.ts'

/** What the venue's own audit found so far. Counts of differences never fall. */
export type AuditRecord = {
  /** Results that were settled again from the tick log. */
  results: {
    at: number
    /** Orders settled up to here are checked. */
    until: number
    orders: number
    differing: number
    /** The newest difference. */
    differedAt: number | null
  } | null
  /** The chain of the tick log. */
  log: { at: number; ms: number; ticks: number; damaged: number; damagedAt: number | null } | null
  /** The books against their causes, of one run. */
  books: { at: number; ms: number; postings: number; differing: number } | null
  /** The chain of what the staff did, of one run, and how far it went. */
  actions: { at: number; ms: number; rows: number; differing: number; head: AuditHead } | null
}

const nothingFound: AuditRecord = { results: null, log: null, books: null, actions: null }
const recordKey = 'self_audit'
const headsKey = 'self_audit_log'
const wholeKey = 'self_audit_log_whole'

export async function readAuditRecord(db: Db): Promise<AuditRecord> {
  return { ...nothingFound, ...(await read<Partial<AuditRecord>>(db, recordKey)) }
}

/** Replaces one part by what follows from it: each check writes its own, and several may write at the same time. */
export async function writeAuditPart<K extends keyof AuditRecord>(
  tx: DbTransaction,
  part: K,
  valueAfter: (before: AuditRecord[K]) => AuditRecord[K],
): Promise<void> {
  await addSetting(tx, recordKey, nothingFound)
  const [row] = await tx.select().from(setting).where(eq(setting.key, recordKey)).for('update')
  const before = { ...nothingFound, ...(row?.value as Partial<AuditRecord> | undefined) }
  await writeSetting(tx, recordKey, { ...before, [part]: valueAfter(before[part]) })
}

/** How far the chunks of each product are verified, by its number. */
export async function readVerifiedHeads(db: Db): Promise<Map<number, VerifiedHead>> {
  return new Map((await read<[number, VerifiedHead][]>(db, headsKey)) ?? [])
}

export const writeVerifiedHeads = (tx: DbTransaction, heads: ReadonlyMap<number, VerifiedHead>) =>
  writeSetting(tx, headsKey, [...heads])

/** When all chunks were verified, and where the log is damaged as far as is known. */
export type WholeLogCheck = { at: number; places: string[] }

export const readWholeLogCheck = (db: Db): Promise<WholeLogCheck | null> => read(db, wholeKey)

export const writeWholeLogCheck = (tx: DbTransaction, check: WholeLogCheck) =>
  writeSetting(tx, wholeKey, check)

async function read<T>(db: Db, key: string): Promise<T | null> {
  return ((await readSetting(db, key)) as T | undefined) ?? null
}
