import { sign } from 'node:crypto'
import type { LogProof } from '../../contract/orders.ts'
import { toBase64 } from '../../contract/tlog/base64.ts'
import { cosignedMessage, packCosignature } from '../../contract/tlog/checkpoint.ts'
import { formatLeaf, type LogLeaf } from '../../contract/tlog/leaf.ts'
import { leafHash, nodeHash } from '../../contract/tlog/merkle.ts'
import { formatSignature, formatVerifierKey, keyId } from '../../contract/tlog/note.ts'
import { keyPairOf } from '../../server/market/publicLog/keyPair.ts'
import { createSigner } from '../../server/market/publicLog/signer.ts'
import { closeAt, headAt, log as ticksOfLog } from './sampleProof.ts'

export const origin = 'venue.test/log/1'
export const signer = createSigner(new Uint8Array(32).fill(5))
const { secret: witness, publicKey: witnessKey } = keyPairOf(new Uint8Array(32).fill(6))
const logWitnesses = [formatVerifierKey('w.test', 'cosignature', witnessKey)]
export const logKeys = { logKey: signer.verifierKey(origin), logWitnesses }

export const other = leafHash(new TextEncoder().encode('another leaf'))
export const hashOf = (text: string) => leafHash(new TextEncoder().encode(text))

/** A log of two leaves, of which the second has the product's head. */
export function logOf(change: Partial<LogLeaf> = {}): LogProof {
  const head = headAt(ticksOfLog.findIndex(([, at]) => at > closeAt) + 2)
  const leaf = formatLeaf({
    origin,
    at: closeAt + 900,
    heads: [{ productId: 'A', ...head }],
    gaps: [],
    ...change,
  })
  const checkpoint = signer.sign({ origin, size: 2, root: nodeHash(other, hashOf(leaf)) })
  return { leaf, index: 1, path: [toBase64(other)], checkpoint }
}

export function cosigned(log: LogProof): LogProof {
  const text = log.checkpoint.slice(0, log.checkpoint.indexOf('\n\n') + 1)
  const bytes = packCosignature(9, sign(null, cosignedMessage(text, 9), witness))
  const line = formatSignature({ name: 'w.test', id: keyId('w.test', 'cosignature', witnessKey), bytes })
  return { ...log, checkpoint: log.checkpoint + line }
}
