import { assertNever } from '../../../contract/units.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import { DepositRequest } from './DepositRequest.tsx'
import { PasswordRequest } from './PasswordRequest.tsx'
import { Proposal } from './Proposal.tsx'
import { VerificationRequest } from './VerificationRequest.tsx'
import { WithdrawalRequest } from './WithdrawalRequest.tsx'
import { ThreadRequest } from './ThreadRequest.tsx'
import type { RequestProps } from './requestProps.ts'

/** The open request of a queue. */
export function RequestDetail({ queue, ...props }: RequestProps & { queue: QueueName }) {
  switch (queue) {
    case 'deposits':
      return <DepositRequest {...props} />
    case 'withdrawals':
    case 'payments':
      return <WithdrawalRequest {...props} queue={queue} />
    case 'verifications':
      return <VerificationRequest {...props} />
    case 'password-requests':
      return <PasswordRequest {...props} />
    case 'service':
      return <ThreadRequest {...props} />
    case 'proposals':
      return <Proposal {...props} />
    default:
      return assertNever(queue)
  }
}
