import { useMemo } from 'react'
import { isMirroredAt, replayOf } from '../../../contract/replayFingerprint.ts'
import type { Order } from '../../../streams/index.ts'
import { replayAt } from '../../features/market/source.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useProduct } from './useProduct.ts'

/** The day that an order's prices replay, and whether mirrored; undefined if its prices are not replayed. */
export function useReplay({
  productId,
  terms,
  acceptedAt,
}: Order): { at: number | undefined; isMirrored: boolean } | undefined {
  const streams = useStreams()
  const detail = valueOf(useLoadable(useMemo(() => streams.product$(productId), [streams, productId])))
  const product = useProduct(productId)
  if (replayOf(terms.source) === undefined) return undefined
  // The product may have another source by now. Until its sources are loaded, its newest one is the best guess.
  const source = detail?.sources.find(({ fingerprint }) => fingerprint === terms.source)
  return {
    at: replayAt(source?.text ?? product?.source ?? ''),
    isMirrored: source !== undefined && isMirroredAt(source, acceptedAt),
  }
}
