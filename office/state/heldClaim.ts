import type { QueueName } from '../../contract/office/queues.ts'

/** The claim that the user works with: of the request that was opened last, until it is decided or given up. */
export type HeldClaim = { queue: QueueName; id: string; name: string | undefined }
let held: HeldClaim | null = null

export const holdClaim = (claim: HeldClaim): void => void (held = claim)
/** It is decided, given up or another's by now. */
export const dropClaim = (id: string): void => {
  if (held?.id === id) held = null
}

/** The session is over. */
export const forgetClaim = (): void => void (held = null)

/** The claim to give up at an address: at a list. A record, another request and the account lead back to the claimed one. */
export function claimLeftAt(path: string): HeldClaim | null {
  const [, first = '', id] = path.split('/')
  if (first === '' || first === 'account' || id !== undefined) return null
  const left = held
  held = null
  return left
}
