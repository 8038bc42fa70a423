import type { RequestState } from '../../contract/office/schema.ts'
import { Badge, type BadgeKind } from '../../src/ui/Badge.tsx'
import { useTexts } from '../i18n.ts'

const kinds: Record<string, BadgeKind> = {
  under_review: 'warn',
  approved: 'warn',
  successful: 'success',
  verified: 'success',
  failed: 'danger',
  rejected: 'danger',
}

type Status = RequestState | 'verified' | 'rejected' | 'none'

/** The status of a request. */
export function ReviewStatus({ status }: { status: Status }) {
  const t = useTexts()
  return <Badge kind={kinds[status] ?? 'plain'}>{t(`status.${status}`)}</Badge>
}
