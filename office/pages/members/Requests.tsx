import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { navigate } from '../../../src/router/hashLocation.ts'
import { useDeskList } from '../../data/useDesk.ts'
import type { ItemOf } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import type { Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Block } from '../../ui/Block.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { When } from '../../ui/When.tsx'

const { verifications } = backOfficeRoutes
const passwordRequests = backOfficeRoutes['password-requests']

/** Everything that the member has asked for, with its decision. Enter opens one in its queue. */
export function Requests({ memberId }: { memberId: string }) {
  const t = useTexts()
  const may = useMay()
  return (
    <>
      {may('deposits.list') && <MoneyRequests noun="deposits" memberId={memberId} />}
      {may('withdrawals.list') && <MoneyRequests noun="withdrawals" memberId={memberId} />}
      {may('verifications.list') && <Verifications memberId={memberId} t={t} />}
      {may('password-requests.list') && <PasswordRequests memberId={memberId} t={t} />}
    </>
  )
}

type Decided = { decidedBy: string | null; decidedAt: number | null; reason: string | null }

const decidedColumns = <T extends Decided>(t: Texts): Column<T>[] => [
  { key: 'decidedBy', head: t('column.decidedBy'), cell: ({ decidedBy }) => decidedBy ?? '' },
  { key: 'decidedAt', head: t('column.decidedAt'), cell: ({ decidedAt }) => <When at={decidedAt} /> },
  { key: 'reason', head: t('column.reason'), minor: true, cell: ({ reason }) => reason ?? '' },
]

type MoneyRequest = {
  id: string
  no: string
  amount: string
  status: 'under_review' | 'successful' | 'failed'
  createdAt: number
}

const moneyColumns = (t: Texts): Column<MoneyRequest & Decided>[] => [
  { key: 'no', head: t('column.no'), cell: ({ no }) => no },
  { key: 'amount', head: t('column.amount'), figure: true, cell: ({ amount }) => <Money value={amount} /> },
  { key: 'status', head: t('column.status'), cell: ({ status }) => <ReviewStatus status={status} /> },
  { key: 'at', head: t('column.createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
  ...decidedColumns(t),
]

function MoneyRequests({ noun, memberId }: { noun: 'deposits' | 'withdrawals'; memberId: string }) {
  const t = useTexts()
  const list = useDeskList(backOfficeRoutes[noun].list, { query: { memberId } })
  const label = t(`queue.${noun}.title`)
  return (
    <Block title={label} flush>
      <ListTable<MoneyRequest & Decided>
        label={label}
        list={list}
        rowId={({ id }) => id}
        columns={moneyColumns(t)}
        onOpen={({ id }) => navigate(`/${noun}/${id}`)}
      />
    </Block>
  )
}

function Verifications({ memberId, t }: { memberId: string; t: Texts }) {
  const list = useDeskList(verifications.list, { query: { memberId } })
  return (
    <Block title={t('queue.verifications.title')} flush>
      <ListTable
        label={t('queue.verifications.title')}
        list={list}
        rowId={({ id }) => id}
        onOpen={({ id }) => navigate(`/verifications/${id}`)}
        columns={verificationColumns(t)}
      />
    </Block>
  )
}

function PasswordRequests({ memberId, t }: { memberId: string; t: Texts }) {
  const list = useDeskList(passwordRequests.list, { query: { memberId } })
  return (
    <Block title={t('queue.password-requests.title')} flush>
      <ListTable
        label={t('queue.password-requests.title')}
        list={list}
        rowId={({ id }) => id}
        onOpen={({ id }) => navigate(`/password-requests/${id}`)}
        columns={passwordColumns(t)}
      />
    </Block>
  )
}

const verificationColumns = (t: Texts): Column<ItemOf<typeof verifications.list>>[] => [
  { key: 'status', head: t('column.status'), cell: ({ status }) => <ReviewStatus status={status} /> },
  { key: 'at', head: t('column.createdAt'), cell: ({ submittedAt }) => <When at={submittedAt} /> },
  ...decidedColumns(t),
]

const passwordColumns = (t: Texts): Column<ItemOf<(typeof passwordRequests)['list']>>[] => [
  { key: 'kind', head: t('password.kind'), cell: ({ kind }) => t(`password.${kind}`) },
  { key: 'status', head: t('column.status'), cell: ({ status }) => <ReviewStatus status={status} /> },
  { key: 'at', head: t('column.createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
  ...decidedColumns(t),
]
