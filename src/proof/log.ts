import type { Head } from '../../contract/chain.ts'
import { leafMaxDelayMs } from '../../contract/constants.ts'
import { checkLogProof } from '../../contract/tlog/logProof.ts'
import { parseLeaf } from '../../contract/tlog/leaf.ts'
import { parseVerifierKey } from '../../contract/tlog/note.ts'
import type { CompleteProof } from './completeProof.ts'

/** The keys of the public log, as the venue states them. */
export type LogKeys = { logKey: string | null; logWitnesses: readonly string[] }

export type LogCheck =
  /** The log has the leaf, and the key has signed it; `witnesses` have cosigned it. */
  | { ok: true; held: true; at: number; index: number; witnesses: string[] }
  /** Nothing to compare with: the log has no leaf for the order, or its signature cannot be verified here. */
  | { ok: true; held: false; why: 'none' | 'unsigned' }
  /** The log's signature is false, or its leaf is not about these ticks. */
  | { ok: false; why: 'signature' | 'leaf' }

/** The head of an order's product in the leaf of its proof. The chain of the ticks must pass through it. */
export function loggedHead({ log, order }: Pick<CompleteProof, 'log' | 'order'>): Head | null {
  const head = log && parseLeaf(log.leaf)?.heads.find(({ productId }) => productId === order.productId)
  return head ? { seq: head.seq, hash: head.hash } : null
}

/**
 * Whether the public log has the ticks of a proof, up to the order's close. That their chain passes through the leaf's head
 * is checked with the chain.
 */
export async function checkLog(proof: CompleteProof, keys: LogKeys | undefined): Promise<LogCheck> {
  const { log, order, ticks, after } = proof
  if (!log) return { ok: true, held: false, why: 'none' }
  const key = keys?.logKey ? parseVerifierKey(keys.logKey) : null
  const witnesses = (keys?.logWitnesses ?? []).flatMap((text) => parseVerifierKey(text) ?? [])
  const check = await checkLogProof(log, { key, witnesses })
  if (!check.ok) return { ok: false, why: check.why === 'signature' ? 'signature' : 'leaf' }
  const head = loggedHead(proof)
  const lastSeq = ticks.findLast(([, at]) => at <= order.closeAt)?.[0] ?? 0
  const isOfOrder = head !== null && head.seq >= lastSeq && head.seq <= (after?.seq ?? 0)
  // A later one would show nothing: the ticks could have been changed until then.
  const delayMs = check.leaf.at - order.closeAt
  if (!isOfOrder || delayMs < 0 || delayMs > leafMaxDelayMs) return { ok: false, why: 'leaf' }
  if (check.isSigned === null) return { ok: true, held: false, why: 'unsigned' }
  const names = check.cosignatures.map(({ key: { name } }) => name)
  return { ok: true, held: true, at: check.leaf.at, index: log.index, witnesses: names }
}
