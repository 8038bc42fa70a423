import { useEffect } from 'react'
import { verification, verificationRoutes, type Verification } from '../../../contract/verification.ts'
import { isNewerVersion } from '../../../contract/version.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { patchUser } from '../../state/session.ts'

const verificationSource: ResourceSource<Verification> = {
  fetch: (call, signal) => call(verificationRoutes.verification, {}, { signal }),
  event$: ({ event$ }) => event$('verification', verification),
  isNewer: isNewerVersion,
}

/** The member's verification, live; it also updates the stored session. */
export function useVerification() {
  const { loadable, reload } = useResource(verificationSource)
  const status = valueOf(loadable)?.status
  useEffect(() => {
    if (status !== undefined) patchUser({ verification: status })
  }, [status])
  return { loadable, reload }
}
