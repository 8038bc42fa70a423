import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { useDesk } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import type { Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { When } from '../../ui/When.tsx'

type SessionView = RouteAnswer<typeof backOfficeRoutes.members.sessions>['items'][number]

/** Where the member is logged in. */
export function Sessions({ memberId }: { memberId: string }) {
  const t = useTexts()
  const { data, failure, isLoading } = useDesk(backOfficeRoutes.members.sessions, {
    params: { id: memberId },
  })
  return (
    <>
      <FailureLine failure={failure} />
      <DataTable
        label={t('member.sessions')}
        rows={data?.items ?? []}
        empty={isLoading ? t('list.loading') : t('list.empty')}
        rowId={({ id }) => id}
        columns={columns(t)}
      />
    </>
  )
}

const columns = (t: Texts): Column<SessionView>[] => [
  { key: 'device', head: t('session.device'), cell: ({ device }) => device },
  { key: 'ip', head: t('session.ip'), cell: ({ ip }) => ip },
  { key: 'created', head: t('session.since'), cell: ({ createdAt }) => <When at={createdAt} /> },
  { key: 'seen', head: t('staff.lastSeenAt'), cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
]
