import { sha256 as pureSha256 } from '@noble/hashes/sha2.js'

/** A node of the Merkle tree of RFC 6962: 32 bytes of SHA-256. */
export type TreeHash = Uint8Array
/** SHA-256 of bytes; the venue passes a faster native one. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

export const hashBytes = 32

/** The hash of a leaf: SHA-256(0x00 ‖ leaf). */
export function leafHash(leaf: Uint8Array, sha: Sha256 = pureSha256): TreeHash {
  const hashed = new Uint8Array(1 + leaf.length)
  hashed.set(leaf, 1)
  return sha(hashed)
}

/** The hash of a node above leaves: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: TreeHash, right: TreeHash, sha: Sha256 = pureSha256): TreeHash {
  const hashed = new Uint8Array(1 + left.length + right.length)
  hashed[0] = 1
  hashed.set(left, 1)
  hashed.set(right, 1 + left.length)
  return sha(hashed)
}

/** The root of a tree without leaves: SHA-256 of nothing. */
export const emptyRoot = (sha: Sha256 = pureSha256): TreeHash => sha(new Uint8Array())

/** A perfect subtree: the hash over the 2^height leaves from index · 2^height on. */
export type NodeId = { height: number; index: number }

/** The perfect subtrees that a tree of some size consists of, largest first: all that is needed to add leaves to it. */
export type TreeRange = readonly { height: number; hash: TreeHash }[]

/** The range with a perfect subtree added, such as a leaf of height 0. Its size must be a multiple of that subtree's. */
export function appendToRange(
  range: TreeRange,
  hash: TreeHash,
  height = 0,
  sha: Sha256 = pureSha256,
): TreeRange {
  const next = [...range]
  let added = { height, hash }
  for (let last = next.at(-1); last?.height === added.height; last = next.at(-1)) {
    next.pop()
    added = { height: added.height + 1, hash: nodeHash(last.hash, added.hash, sha) }
  }
  return [...next, added]
}

/** The root of the tree that a range describes. */
export function rootOfRange(range: TreeRange, sha: Sha256 = pureSha256): TreeHash {
  const root = range
    .map(({ hash }) => hash)
    .reduceRight<TreeHash | null>((right, left) => (right === null ? left : nodeHash(left, right, sha)), null)
  return root ?? emptyRoot(sha)
}

/** The root over the given hashes of leaves, or of subtrees of one height. */
export function rootOf(hashes: readonly TreeHash[], sha: Sha256 = pureSha256): TreeHash {
  return rootOfRange(
    hashes.reduce<TreeRange>((range, hash) => appendToRange(range, hash, 0, sha), []),
    sha,
  )
}

/** The perfect subtrees that the leaves from `begin` to before `end` consist of, in order, each as large as possible. */
export function perfectSubtrees(begin: number, end: number): NodeId[] {
  const nodes: NodeId[] = []
  let at = begin
  while (at < end) {
    let height = 0
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) height += 1
    nodes.push({ height, index: at / 2 ** height })
    at += 2 ** height
  }
  return nodes
}

/** Reads the hash of a perfect subtree. */
export type ReadNode = (node: NodeId) => Promise<TreeHash>

/** The largest power of two below a size of at least 2: where RFC 6962 splits a tree. */
const splitOf = (size: number): number => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** The range with the leaves from `begin`, which is its size, to before `end` added. */
export async function extendRange(
  range: TreeRange,
  begin: number,
  end: number,
  read: ReadNode,
  sha: Sha256 = pureSha256,
): Promise<TreeRange> {
  let next = range
  for (const node of perfectSubtrees(begin, end))
    next = appendToRange(next, await read(node), node.height, sha)
  return next
}

const rootBetween = async (begin: number, end: number, read: ReadNode, sha: Sha256): Promise<TreeHash> =>
  rootOfRange(await extendRange([], begin, end, read, sha), sha)

/** The root of the first `size` leaves. */
export const rootAt = (size: number, read: ReadNode, sha: Sha256 = pureSha256): Promise<TreeHash> =>
  rootBetween(0, size, read, sha)

/**
 * The inclusion proof of RFC 6962, 2.1.1: with its hashes the root of `size` leaves follows from the leaf at `index`.
 * @throws RangeError unless 0 ≤ index < size
 */
export async function inclusionProof(
  index: number,
  size: number,
  read: ReadNode,
  sha: Sha256 = pureSha256,
): Promise<TreeHash[]> {
  if (!(index >= 0 && index < size)) throw new RangeError('the leaf is not in the tree')
  const path: TreeHash[] = []
  let [begin, end] = [0, size]
  while (end - begin > 1) {
    const middle = begin + splitOf(end - begin)
    const isLeft = index < middle
    path.push(await (isLeft ? rootBetween(middle, end, read, sha) : rootBetween(begin, middle, read, sha)))
    if (isLeft) end = middle
    else begin = middle
  }
  return path.reverse()
}

/** The root over the given hashes of leaves, and the inclusion proof of each: every node is hashed once. */
export function inclusionProofs(
  leaves: readonly TreeHash[],
  sha: Sha256 = pureSha256,
): { root: TreeHash; paths: TreeHash[][] } {
  const [first] = leaves
  if (first === undefined) return { root: emptyRoot(sha), paths: [] }
  if (leaves.length === 1) return { root: first, paths: [[]] }
  const split = splitOf(leaves.length)
  const left = inclusionProofs(leaves.slice(0, split), sha)
  const right = inclusionProofs(leaves.slice(split), sha)
  for (const path of left.paths) path.push(right.root)
  for (const path of right.paths) path.push(left.root)
  return { root: nodeHash(left.root, right.root, sha), paths: [...left.paths, ...right.paths] }
}

/**
 * The consistency proof of RFC 6962, 2.1.2: it shows that the first `from` of `size` leaves are those of the tree with
 * `from` leaves. Empty if `from` is 0 or `size`.
 * @throws RangeError unless 0 ≤ from ≤ size
 */
export async function consistencyProof(
  from: number,
  size: number,
  read: ReadNode,
  sha: Sha256 = pureSha256,
): Promise<TreeHash[]> {
  if (!(from >= 0 && from <= size)) throw new RangeError('the earlier tree is larger')
  if (from === 0 || from === size) return []
  const path: TreeHash[] = []
  let [begin, end] = [0, size]
  while (from !== end) {
    const middle = begin + splitOf(end - begin)
    const isLeft = from <= middle
    path.push(await (isLeft ? rootBetween(middle, end, read, sha) : rootBetween(begin, middle, read, sha)))
    if (isLeft) end = middle
    else begin = middle
  }
  if (begin > 0) path.push(await rootBetween(begin, end, read, sha))
  return path.reverse()
}

/** Whether two hashes are equal. */
export const isSameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** Whether an inclusion proof shows that the tree of `size` leaves with this root has the leaf at `index` (RFC 9162, 2.1.3.2). */
export function verifyInclusion(
  { index, size, leaf, root }: { index: number; size: number; leaf: TreeHash; root: TreeHash },
  path: readonly TreeHash[],
  sha: Sha256 = pureSha256,
): boolean {
  if (!isSize(index) || !isSize(size) || index >= size) return false
  if (leaf.length !== hashBytes || path.some(({ length }) => length !== hashBytes)) return false
  let [node, last] = [index, size - 1]
  let hash = leaf
  for (const sibling of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash, sha)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else hash = nodeHash(hash, sibling, sha)
    ;[node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  }
  return last === 0 && isSameHash(hash, root)
}

/** A tree: how many leaves it has, and its root. */
export type Tree = { size: number; root: TreeHash }

/**
 * Whether a consistency proof shows that `to` begins with the leaves of `from` (RFC 9162, 2.1.4.2). Trees of one size are
 * consistent if they are equal, and the empty tree with every tree; the proof is then empty.
 */
export function verifyConsistency(
  from: Tree,
  to: Tree,
  path: readonly TreeHash[],
  sha: Sha256 = pureSha256,
): boolean {
  if (!isSize(from.size) || !isSize(to.size) || from.size > to.size) return false
  if (path.some(({ length }) => length !== hashBytes)) return false
  if (from.size === 0 && !isSameHash(from.root, emptyRoot(sha))) return false
  if (from.size === to.size) return path.length === 0 && isSameHash(from.root, to.root)
  if (from.size === 0) return path.length === 0
  let [node, last] = [from.size - 1, to.size - 1]
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  // A perfect earlier tree is itself the first hash.
  const hashes = node === 0 ? [from.root, ...path] : [...path]
  const [first, ...rest] = hashes
  if (first === undefined || path.length === 0) return false
  let [earlier, later] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      earlier = nodeHash(hash, earlier, sha)
      later = nodeHash(hash, later, sha)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else later = nodeHash(later, hash, sha)
    ;[node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  }
  return last === 0 && isSameHash(earlier, from.root) && isSameHash(later, to.root)
}
