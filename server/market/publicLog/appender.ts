import type { Pool } from 'pg'
import { isSameHash, rootAt } from '../../../contract/tlog/merkle.ts'
import type { LogLeaf } from '../../../contract/tlog/leaf.ts'
import { createTileReader, tileWidth } from '../../../contract/tlog/tiles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { Market } from '../ports.ts'
import { createGapNews, type GapNews } from './gapNews.ts'
import { addLeaf, readTile } from './logStore.ts'
import type { SignedFile } from './signedFile.ts'
import { sha256, type LogSigner } from './signer.ts'
import { readTree, rootOfTree, withLeaf, type LogTree } from './tree.ts'

export type AppenderParts = {
  db: Db
  pool: Pool
  fence: Fence
  market: Pick<Market, 'ids' | 'head' | 'gaps' | 'flushedAt'>
  signer: LogSigner
  signedFile: SignedFile
}

/** Adds the leaves of the log; only the leader does. */
export type Appender = {
  /** Adds a leaf if a flush of another second was committed since the newest one. */
  append(origin: string): Promise<void>
  /** The end of the log is read again before the next leaf. */
  forget(): void
}

/**
 * An entry of the log has at most 65,535 bytes: more products take turns, so many with each leaf, and more gaps are stated
 * with the next leaf of theirs. With the longest names the line of a
 * head has 131 bytes, and that of a gap 81.
 */
const productsPerLeaf = 300
const gapsPerLeaf = 300

/**
 * A leaf states the heads as they are when it is made: none is made later for a second that passed without one, because it
 * would state that these heads were public then. The heads of the next one cover the ticks of that time.
 */
export function createAppender({ db, pool, fence, market, signer, signedFile }: AppenderParts): Appender {
  let known: LogTree | null = null
  let groups = groupsOf(market.ids)

  const makeLeaf = async (origin: string, { size, last }: LogTree): Promise<LogLeaf | null> => {
    const group = groups[size % groups.length]
    if (!group || !isDue(market.flushedAt(), last)) return null
    const gaps = await Promise.all(
      group.ids.map(async (productId) => ({ productId, gaps: await market.gaps(productId) })),
    )
    // From here on nothing waits: heads and instant are of one flush.
    const at = market.flushedAt()
    const heads = group.ids.map((productId) => ({ productId, ...market.head(productId) }))
    const news = group.gapNews.between(group.since ?? last?.at ?? at, at, gaps)
    const unstated = [...group.unstated, ...news].toSorted(byProduct)
    group.since = at
    group.unstated = unstated.slice(gapsPerLeaf)
    return { origin, at, heads, gaps: unstated.slice(0, gapsPerLeaf) }
  }

  return {
    forget: () => {
      known = null
    },
    append: async (origin) => {
      // After a failure too: the gaps of a leaf that was not added are stated again.
      if (known === null) groups = groupsOf(market.ids)
      const tree = known ?? (await readTree(db))
      known = null
      const leaf = await makeLeaf(origin, tree)
      if (leaf === null) {
        known = tree
        return
      }
      const { tree: next, nodes } = withLeaf(tree, leaf)
      const { size } = next
      const note = signer.sign({ origin, size, root: rootOfTree(next) })
      const before = tree.size % tileWidth === 0 ? null : tree.last
      const checkpoint = { origin, size, at: leaf.at, note }
      if (!(await addLeaf({ pool, fence }, { ix: tree.size, leaf, before, nodes, checkpoint }))) return
      known = next
      await signedFile.write(origin, note)
    },
  }
}

/** Products that one leaf states together; `since` is when it last did. `unstated` gaps had no place in that leaf. */
type Group = { ids: string[]; gapNews: GapNews; since: number | null; unstated: LogLeaf['gaps'] }

const byProduct = (a: { productId: string }, b: { productId: string }): number =>
  a.productId === b.productId ? 0 : a.productId < b.productId ? -1 : 1

function groupsOf(ids: readonly string[]): Group[] {
  const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1))
  const count = Math.ceil(sorted.length / productsPerLeaf)
  return Array.from({ length: count }, (_, i) => ({
    ids: sorted.slice(i * productsPerLeaf, (i + 1) * productsPerLeaf),
    gapNews: createGapNews(),
    since: null,
    unstated: [],
  }))
}

const secondOf = (at: number): number => Math.floor(at / 1000)
const isDue = (flushedAt: number, last: LogLeaf | null): boolean =>
  flushedAt > 0 && (last === null || secondOf(flushedAt) > secondOf(last.at))

/**
 * Whether the database went back to before what this data folder has signed, as after a copy of it was restored. Then
 * the log must continue under another name: under the same one it would sign a second tree of some size.
 */
export async function hasGoneBack(db: Db, signedFile: SignedFile, origin: string): Promise<boolean> {
  const signed = await signedFile.read(origin)
  if (signed === null) return false
  const { size } = await readTree(db)
  if (signed.size > size) return true
  const read = createTileReader(
    signed.size,
    async ({ level, index, width }) => Buffer.concat(await readTile(db, level, index, width)),
    sha256,
  )
  return !isSameHash(await rootAt(signed.size, read, sha256), signed.root)
}
