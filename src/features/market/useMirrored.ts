import { useMemo } from 'react'
import { distinctUntilChanged, map } from 'rxjs'
import { isMirroredPass } from '../../../contract/replayFingerprint.ts'
import type { Product } from '../../../streams/index.ts'
import { useObservable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** Whether a product replays mirrored prices now. */
export function useMirrored({ passes, lastAt }: Pick<Product, 'passes' | 'lastAt'>): boolean {
  const { clock } = useStreams()
  const [mirrored$, first] = useMemo(() => {
    const isMirrored = (at: number): boolean => passes !== undefined && isMirroredPass(passes, at)
    // Until the venue's time is known, that of the last price.
    const at = clock.now() || lastAt
    return [clock.second$.pipe(map(isMirrored), distinctUntilChanged()), isMirrored(at)] as const
  }, [clock, passes, lastAt])
  return useObservable(passes && mirrored$, first)
}
