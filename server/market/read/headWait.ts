import { ApiError } from '../../platform/apiError.ts'
import type { Clock, Cluster } from '../../platform/ports.ts'
import type { Market } from '../ports.ts'

/**
 * A flush comes every 50 ms, so after a second this node will not catch up: the caller asks again, possibly another
 * node.
 */
export const headWaitMaxMs = 1000

type Parts = {
  market: Pick<Market, 'onFlush'>
  clock: Clock
  /** Null: a single node, so no other process can be ahead of this one. */
  cluster: Pick<Cluster, 'isLeading'> | null
}

/**
 * A caller may have seen more of the log at another node than this one has. Without waiting it would get an answer that
 * says that there is no more.
 * @throws ApiError `UNAVAILABLE` after a second
 */
export async function untilReached(
  { market, clock, cluster }: Parts,
  isReached: () => boolean,
): Promise<void> {
  if (cluster === null || isReached()) return
  await new Promise<void>((resolve, reject) => {
    const cancel = clock.at(clock.now() + headWaitMaxMs, () => {
      end()
      reject(new ApiError('UNAVAILABLE'))
    })
    const end = market.onFlush(() => {
      if (!isReached()) return
      end()
      cancel()
      resolve()
    })
  })
}
