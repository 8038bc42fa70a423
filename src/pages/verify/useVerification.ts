import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { Verification } from '../../../contract/wallet.ts'
import { verification, walletRoutes } from '../../../contract/wallet.ts'
import { call } from '../../api/venue.ts'
import { useLive } from '../../hooks/useLive.ts'
import type { LiveSource } from '../../hooks/useLive.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { patchUser } from '../../state/session.ts'

const source: LiveSource<Verification> = {
  load: (signal) => call(walletRoutes.verification, {}, { signal }),
  event: 'verification',
  read: (data) => {
    const parsed = z.safeParse(verification, data)
    return parsed.success ? parsed.data : undefined
  },
}

/** How the member's verification stands, as customer service decides; the stored session follows. */
export function useVerification() {
  const { loadable, reload } = useLive(source)
  const status = valueOf(loadable)?.status
  useEffect(() => {
    if (status !== undefined) patchUser({ verification: status })
  }, [status])
  return { loadable, reload }
}
