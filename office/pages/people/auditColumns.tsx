import type { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import type { Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import type { useAuditWord } from '../../ui/useAuditWord.ts'
import { When } from '../../ui/When.tsx'

export type AuditEntry = RouteAnswer<typeof backOfficeRoutes.audit.list>['items'][number]

/** One row of the audit. */
export const auditColumns = (t: Texts, word: ReturnType<typeof useAuditWord>): Column<AuditEntry>[] => [
  { key: 'at', head: t('audit.at'), cell: ({ at }) => <When at={at} /> },
  { key: 'actor', head: t('audit.filter.actor'), whole: true, cell: ({ actor }) => <strong>{actor}</strong> },
  { key: 'act', head: t('audit.filter.act'), whole: true, cell: ({ act }) => word('acts', act) },
  {
    key: 'subject',
    head: t('audit.subject'),
    cell: ({ subject }) => `${word('kinds', subject.kind)} ${subject.id}`,
  },
  {
    key: 'member',
    minor: true,
    head: t('audit.filter.memberId'),
    cell: ({ memberId }) =>
      memberId === null ? '' : <TextLink href={hrefTo(`/members/${memberId}`)}>{memberId}</TextLink>,
  },
  {
    key: 'details',
    head: t('audit.details'),
    minor: true,
    cell: ({ details }) => (Object.keys(details).length === 0 ? '' : JSON.stringify(details)),
  },
]
