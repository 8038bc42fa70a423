import { eq } from 'drizzle-orm'
import type { ActChainHead } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { setting } from '../../platform/db/schema.ts'
import { addSetting, readSetting, writeSetting } from '../../platform/db/settingValue.ts'
import type { VerifiedHead } from '../../market/index.ts'

/** What the nightly checks found so far. Counts of differences never fall. */
export type NightlyFindings = {
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
  actions: { at: number; ms: number; rows: number; differing: number; head: ActChainHead } | null
}

const nothingFound: NightlyFindings = { results: null, log: null, books: null, actions: null }
const findingsKey = 'nightly_checks'
const headsKey = 'nightly_checks_log'
const wholeKey = 'nightly_checks_log_whole'

export async function readFindings(db: Db): Promise<NightlyFindings> {
  return { ...nothingFound, ...(await read<Partial<NightlyFindings>>(db, findingsKey)) }
}

/** Replaces one part by what follows from it: each check writes its own, and several may write at the same time. */
export async function writeFindingsOf<K extends keyof NightlyFindings>(
  tx: DbTransaction,
  part: K,
  valueAfter: (before: NightlyFindings[K]) => NightlyFindings[K],
): Promise<void> {
  await addSetting(tx, findingsKey, nothingFound)
  const [row] = await tx.select().from(setting).where(eq(setting.key, findingsKey)).for('update')
  const before = { ...nothingFound, ...(row?.value as Partial<NightlyFindings> | undefined) }
  await writeSetting(tx, findingsKey, { ...before, [part]: valueAfter(before[part]) })
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
