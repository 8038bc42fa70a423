import { secondFactorRoutes, type SecondFactors } from '../../../contract/secondFactors.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { passkeySupport } from './passkeys.ts'

const source: ResourceSource<SecondFactors> = {
  fetch: (call, signal) => call(secondFactorRoutes.secondFactors, {}, { signal }),
}

/** The member's passkeys, authenticator app and recovery codes. */
export const useSecondFactors = () => useResource(source)

/** Whether the member can confirm with a passkey here; false while that is loading. */
export function useHasPasskey(): boolean {
  const factors = valueOf(useSecondFactors().loadable)
  return factors !== undefined && factors.passkeys.length > 0 && passkeySupport() === 'usable'
}
