import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import type { WireTick } from '../../../contract/chain.ts'
import type { Gap } from '../../../contract/settle.ts'
import { feedGap, tickChunk } from '../../../server/market/schema.ts'
import { unpackChunk } from '../../../server/market/log/chunk.ts'
import { toWireTicks } from '../../../server/market/log/rehash.ts'
import { recoverLog } from '../../../server/market/log/tailRecovery.ts'
import { blackBoxClient, extendChain, sha, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { liveSymbols, readList, readTicks } from './checks.ts'
import type { Cluster, ClusterNode } from './cluster.ts'

/** A finished gap: from < t ≤ to. */
export type EndedGap = { from: number; to: number }
/** What the database has of a product: all its ticks, the head that they lead to, and its gaps. */
type StoredProduct = { id: string; ticks: readonly WireTick[]; head: string; gaps: readonly EndedGap[] }

/** What was compared, and each difference in a line. */
export type Compared = { ticks: number; gaps: number; differences: string[] }

const pollMs = 50
/** A node that has not what the database had by then will not get it. */
const followMaxMs = 60_000

/** The nodes that run, each with a name for its findings. */
export const nodesOf = (cluster: Cluster): ClusterNode[] => [...cluster.candidates(), ...cluster.edges()]

/** Each node has every tick and gap of each live product that the database has, and no others. */
export async function compareViews(cluster: Cluster, compared: Compared): Promise<void> {
  const stored = await readStored(cluster)
  const served = await Promise.all(
    nodesOf(cluster).map(async ({ url }) => {
      const client = blackBoxClient(url)
      const gaps = new Map<string, EndedGap[]>()
      for (const product of stored) {
        await compareTicks(client, url, product, compared)
        gaps.set(product.id, await gapsWith(client, product))
      }
      return { url, gaps }
    }),
  )
  // One that has arisen since then is stored by now.
  const storedNow = new Map((await readStored(cluster)).map(({ id, gaps }) => [id, new Set(gaps.map(keyOf))]))
  for (const { url, gaps } of served)
    for (const { id, gaps: before } of stored) {
      const found = new Set((gaps.get(id) ?? []).map(keyOf))
      compared.gaps += before.length
      const lacking = before.map(keyOf).filter((gap) => !found.has(gap))
      const invented = [...found].filter((gap) => storedNow.get(id)?.has(gap) !== true)
      compared.differences.push(
        ...lacking.map((gap) => `${url}: ${id} lacks the gap ${gap}`),
        ...invented.map((gap) => `${url}: ${id} has the gap ${gap}, which is not stored`),
      )
    }
}

const keyOf = ({ from, to }: EndedGap): string => `${from}–${to}`

async function compareTicks(
  client: BlackBoxClient,
  url: string,
  { id, ticks, head }: StoredProduct,
  compared: Compared,
): Promise<void> {
  const giveUpAt = performance.now() + followMaxMs
  const count = ticks.length
  const served = await readTicks(
    client,
    id,
    (newest) => (newest?.[0] ?? 0) >= count || performance.now() > giveUpAt,
  )
  const differs = ticks.findIndex((tick, i) => !isDeepStrictEqual(tick, served[i]))
  if (differs >= 0) {
    const [expected, found] = [ticks[differs], served[differs]].map((tick) => JSON.stringify(tick))
    compared.differences.push(`${url}: ${id} has ${found} instead of ${expected}`)
  }
  compared.ticks += count
  const next = await client.get<{ before: { seq: number; hash: string } | null }>(
    `/api/products/${encodeURIComponent(id)}/ticks?afterSeq=${count}&limit=1`,
  )
  if (!isDeepStrictEqual(next.body.before, { seq: count, hash: head }))
    compared.differences.push(`${url}: ${id} has the head ${next.text} instead of ${count} ${head}`)
}

/** A node's finished gaps, once they are all of a product's stored ones. */
async function gapsWith(client: BlackBoxClient, { id, gaps }: StoredProduct): Promise<EndedGap[]> {
  const giveUpAt = performance.now() + followMaxMs
  for (;;) {
    const all = await readList<Gap>(client, `/api/products/${encodeURIComponent(id)}/gaps`)
    const ended = all.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }]))
    const found = new Set(ended.map(keyOf))
    if (gaps.every((gap) => found.has(keyOf(gap))) || performance.now() > giveUpAt) return ended
    await wait(pollMs)
  }
}

/** Reads the tables themselves, in one snapshot, and hashes the ticks again by the contract's text. */
function readStored({ scratch }: Cluster): Promise<StoredProduct[]> {
  return scratch.database.db.transaction(
    async (tx) => {
      const { products, tails } = await recoverLog(tx, (text) => hash('sha256', text))
      const stored: StoredProduct[] = []
      for (const [id] of liveSymbols) {
        const product = [...products.values()].find((each) => each.id === id)
        const tail = product && tails.get(product.ix)
        if (!tail) throw new Error(`${id} is not in the log`)
        const ofProduct = eq(tickChunk.ix, product.ix)
        const chunks = await tx.select().from(tickChunk).where(ofProduct).orderBy(tickChunk.seq0)
        const ticks: WireTick[] = []
        for (const { seq0, data } of chunks)
          ticks.push(...toWireTicks(product, await unpackChunk(seq0, data)))
        ticks.push(...toWireTicks(product, tail.slice(0, tail.count)))
        const gaps = await tx.select().from(feedGap).where(eq(feedGap.ix, product.ix)).orderBy(feedGap.fromAt)
        stored.push({
          id,
          ticks,
          head: extendChain(sha(id), id, ticks),
          gaps: gaps.map(({ fromAt, toAt }) => ({ from: fromAt, to: toAt })),
        })
      }
      return stored
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const readings = 5
const clockDifferenceMaxMs = 1000

/** How far a node's time is ahead of this machine's: between two bounds, since an answer takes time. */
type Offset = { url: string; least: number; most: number }

/**
 * Each node's time is within a second of every other node's and of this machine's.
 * @returns by how much one surely differs from this machine's, ms
 */
export async function compareTimes(cluster: Cluster, { differences }: Compared): Promise<number> {
  const offsets = await Promise.all(nodesOf(cluster).map(({ url }) => readOffset(url)))
  const real: Offset = { url: 'this machine', least: 0, most: 0 }
  for (const [i, one] of offsets.entries())
    for (const other of [...offsets.slice(i + 1), real]) {
      const apart = apartMs(one, other)
      if (apart > clockDifferenceMaxMs)
        differences.push(`the times of ${one.url} and ${other.url} differ by ${apart} ms`)
    }
  return Math.max(...offsets.map((offset) => apartMs(offset, real)))
}

const apartMs = (one: Offset, other: Offset): number =>
  Math.max(0, one.least - other.most, other.least - one.most)

async function readOffset(url: string): Promise<Offset> {
  const client = blackBoxClient(url)
  const offset: Offset = { url, least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }
  for (let i = 0; i < readings; i++) {
    const sentAt = Date.now()
    const { now } = (await client.get<{ now: number }>('/api/time')).body
    // Both clocks show whole milliseconds.
    offset.least = Math.max(offset.least, now - Date.now() - 1)
    offset.most = Math.min(offset.most, now - sentAt + 1)
  }
  return offset
}
