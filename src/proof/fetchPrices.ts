import { productRoutes } from '../../contract/products.ts'
import type { Result } from '../api/result.ts'
import { fetchFile } from '../api/venueFile.ts'
import type { CompleteProof } from './completeProof.ts'
import { replayOf } from '../../contract/replayFingerprint.ts'
import { checkPrices, type PricesCheck } from './prices.ts'

/** Whether this browser can decompress a recording. */
export const canUnzip = (): boolean => typeof DecompressionStream !== 'undefined'

/**
 * Fetches the public recording that an order's source replays, and compares the proof's prices with it.
 * @param onProgress called with the bytes received so far
 */
export async function fetchPrices(
  proof: CompleteProof,
  onProgress: (received: number) => void,
): Promise<Result<PricesCheck>> {
  const sha256 = replayOf(proof.order.terms.source)?.sha256 ?? ''
  const answer = await fetchFile({
    route: productRoutes.recording,
    params: { sha256 },
    query: {},
    type: 'application/gzip',
    onProgress,
  })
  if (!answer.ok) return answer
  try {
    const zipped = new Uint8Array(await answer.value.arrayBuffer())
    const unzipped = answer.value.stream().pipeThrough(new DecompressionStream('gzip'))
    return { ...answer, value: checkPrices(proof, zipped, await new Response(unzipped).text()) }
  } catch {
    // A file that cannot be decompressed or parsed is not a recording.
    return { ...answer, value: { ok: false, why: 'file' } }
  }
}
