import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { Verification } from '../../../contract/verification.ts'
import { verification, verificationRoutes } from '../../../contract/verification.ts'
import { call } from '../../api/venue.ts'
import { useLiveResource } from '../../hooks/useLiveResource.ts'
import type { LiveResourceSource } from '../../hooks/useLiveResource.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { patchUser } from '../../state/session.ts'

const source: LiveResourceSource<Verification> = {
  load: (signal) => call(verificationRoutes.verification, {}, { signal }),
  event: 'verification',
  read: (data) => {
    const parsed = z.safeParse(verification, data)
    return parsed.success ? parsed.data : undefined
  },
}

/** The member's verification, live; it also updates the stored session. */
export function useVerification() {
  const { loadable, reload } = useLiveResource(source)
  const status = valueOf(loadable)?.status
  useEffect(() => {
    if (status !== undefined) patchUser({ verification: status })
  }, [status])
  return { loadable, reload }
}
