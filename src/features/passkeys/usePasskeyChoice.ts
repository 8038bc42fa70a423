import { useState } from 'react'
import { useHasPasskey } from './useSecondFactors.ts'

/** What a member with a passkey confirms with: the passkey, or the transaction password. */
export type PasskeyChoice = { isPasskey: boolean; setPasskey: (isPasskey: boolean) => void }

/** Undefined for a member without a passkey that works here. */
export function usePasskeyChoice(): PasskeyChoice | undefined {
  const hasPasskey = useHasPasskey()
  const [isPasskey, setPasskey] = useState(false)
  return hasPasskey ? { isPasskey, setPasskey } : undefined
}
