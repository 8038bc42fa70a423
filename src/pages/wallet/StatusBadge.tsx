import { useTranslation } from 'react-i18next'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import { Badge } from '../../ui/index.ts'
import { cancelledReason, statusBadge, statusTextOf } from './walletLabels.ts'

/** The status of a deposit or withdrawal. One that the member cancelled was not rejected, so it is not red. */
export function StatusBadge({ status, reason }: { status: ReviewStatus; reason: string | null }) {
  const { t } = useTranslation()
  const label = statusTextOf(t)({ status })
  if (reason === cancelledReason) return <Badge icon="x">{label}</Badge>
  return <Badge kind={statusBadge[status]}>{label}</Badge>
}
