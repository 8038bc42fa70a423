import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { When } from '../../ui/When.tsx'

type SessionView = RouteAnswer<typeof officeRoutes.members.sessions>['items'][number]

/** Where the member is logged in. */
export function Sessions({ memberId }: { memberId: string }) {
  const t = useTexts()
  const { data, failure, isLoading } = useOfficeCall(officeRoutes.members.sessions, {
    params: { id: memberId },
  })
  return (
    <ListTable
      label={t('member.sessions')}
      list={{ items: data?.items ?? [], failure, isLoading }}
      rowId={({ id }) => id}
      columns={columns(t)}
    />
  )
}

const columns = (t: Texts): Column<SessionView>[] => [
  { key: 'device', head: t('session.device'), cell: ({ device }) => device },
  { key: 'ip', head: t('session.ip'), cell: ({ ip }) => ip },
  { key: 'created', head: t('session.since'), cell: ({ createdAt }) => <When at={createdAt} /> },
  { key: 'seen', head: t('staff.lastSeenAt'), cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
]
