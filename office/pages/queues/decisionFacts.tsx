import type { RequestState } from '../../../contract/office/schema.ts'
import type { Texts } from '../../i18n.ts'
import type { Fact } from '../../ui/Facts.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { When } from '../../ui/When.tsx'

type Decided = {
  status: RequestState | 'verified' | 'rejected'
  createdAt: number
  decidedAt: number | null
  decidedBy: string | null
  reason: string | null
}

/** When a request was made and what became of it. */
export function decisionFacts(t: Texts, request: Decided): (Fact | false)[] {
  const { status, createdAt, decidedAt, decidedBy, reason } = request
  return [
    { label: t('column.status'), value: <ReviewStatus status={status} /> },
    { label: t('column.createdAt'), value: <When at={createdAt} /> },
    decidedAt !== null && { label: t('column.decidedAt'), value: <When at={decidedAt} /> },
    decidedBy !== null && { label: t('column.decidedBy'), value: decidedBy },
    reason !== null && { label: t('column.reason'), value: reason, wide: true },
  ]
}
