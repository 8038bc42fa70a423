import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RequestState } from '../../../contract/office/schema.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { navigate, pathWith } from '../../../src/router/hashLocation.ts'
import { useOfficeList, type ItemOf } from '../../data/useOfficeCall.ts'
import { requestState } from '../../data/requestState.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import { useMay } from '../../state/staff.ts'
import { Block } from '../../ui/Block.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { lastDeclinedText } from '../queues/declinedWarnings.ts'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { When } from '../../ui/When.tsx'
import { RequestDetail } from '../queues/RequestDetail.tsx'
import { openInRecord, type RequestInRecord } from './requestInRecord.ts'

const { verifications } = officeRoutes
const passwordRequests = officeRoutes['password-requests']

/** Everything that the member has asked for, with its decision. Enter opens one beside them, if the role may see it. */
export function Requests({ memberId, open }: { memberId: string; open: RequestInRecord | null }) {
  const t = useTexts()
  const may = useMay()
  const close = (): void => navigate(pathWith(`/members/${memberId}`, { tab: 'requests' }), { replace: true })
  useCommands([open !== null && { label: 'keys.leave', keys: 'Escape', group: 'request', run: close }])
  const list = (
    <>
      {may('deposits.list') && <MoneyRequests noun="deposits" memberId={memberId} />}
      {may('withdrawals.list') && <MoneyRequests noun="withdrawals" memberId={memberId} />}
      {may('verifications.list') && <Verifications memberId={memberId} t={t} />}
      {may('password-requests.list') && <PasswordRequests memberId={memberId} t={t} />}
    </>
  )
  const detail = open !== null && may(`${open.queue}.show`) && (
    <RequestDetail
      key={`${open.queue} ${open.id}`}
      queue={open.queue}
      id={open.id}
      onDecided={() => undefined}
      onClose={close}
    />
  )
  return <SplitView list={list} detail={detail || null} />
}

/** Many may read the list of requests who may not see the details of one. */
function useOpening(noun: QueueName, memberId: string): { onOpen?: (request: { id: string }) => void } {
  const may = useMay()
  return may(`${noun}.show`) ? { onOpen: ({ id }) => openInRecord(memberId, { queue: noun, id }) } : {}
}

type Decided = { decidedBy: string | null; decidedAt: number | null; reason: string | null }

const decidedColumns = <T extends Decided>(t: Texts): Column<T>[] => [
  { key: 'decidedBy', head: t('column.decidedBy'), minor: true, cell: ({ decidedBy }) => decidedBy ?? '' },
  {
    key: 'decidedAt',
    head: t('column.decidedAt'),
    minor: true,
    cell: ({ decidedAt }) => <When at={decidedAt} />,
  },
  { key: 'reason', head: t('column.reason'), minor: true, cell: ({ reason }) => reason ?? '' },
]

type MoneyRequest = {
  id: string
  no: string
  amount: string
  status: RequestState
  createdAt: number
  awaitsSecondPerson?: boolean
  confirmedBy?: string | null
  secondDeclined?: { act: FourEyesAct; decidedBy: string | null; reason: string | null } | null | undefined
}

/** A withdrawal that is approved is not under review any more: by whom and when is shown where the decision will be. */
function asShown(
  request: Omit<MoneyRequest, 'status'> &
    Decided &
    Parameters<typeof requestState>[0] & { approvedBy?: string | null },
): MoneyRequest & Decided {
  const status = requestState(request)
  const { approvedAt = null, approvedBy = null } = request
  if (status !== 'approved') return { ...request, status }
  return { ...request, status, decidedAt: approvedAt, decidedBy: approvedBy }
}

const moneyColumns = (t: Texts): Column<MoneyRequest & Decided>[] => [
  { key: 'no', head: t('column.no'), whole: true, cell: ({ no }) => no },
  { key: 'amount', head: t('column.amount'), figure: true, cell: ({ amount }) => <Money value={amount} /> },
  { key: 'status', head: t('column.status'), cell: (request) => <MoneyStatus {...request} /> },
  { key: 'at', head: t('column.createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
  ...decidedColumns(t),
]

/** One that one person credited is not one that two approved. */
function MoneyStatus({ status, awaitsSecondPerson, secondDeclined, confirmedBy }: MoneyRequest) {
  const t = useTexts()
  if (awaitsSecondPerson === true)
    return (
      <Badge kind="warn" isSentence>
        {secondDeclined
          ? `${t('deposit.awaitsShort')} · ${lastDeclinedText(t, secondDeclined)}`
          : t('deposit.awaitsShort')}
      </Badge>
    )
  return (
    <>
      <ReviewStatus status={status} />
      {typeof confirmedBy === 'string' && ` ${t('deposit.second', { name: confirmedBy })}`}
    </>
  )
}

function MoneyRequests({ noun, memberId }: { noun: 'deposits' | 'withdrawals'; memberId: string }) {
  const t = useTexts()
  const list = useOfficeList(officeRoutes[noun].list, { query: { memberId } })
  const label = t(`queue.${noun}.title`)
  return (
    <Block title={label} flush>
      <ListTable<MoneyRequest & Decided>
        label={label}
        list={{ ...list, items: list.items.map(asShown) }}
        rowId={({ id }) => id}
        columns={moneyColumns(t)}
        {...useOpening(noun, memberId)}
      />
    </Block>
  )
}

function Verifications({ memberId, t }: { memberId: string; t: Texts }) {
  const list = useOfficeList(verifications.list, { query: { memberId } })
  return (
    <Block title={t('queue.verifications.title')} flush>
      <ListTable
        label={t('queue.verifications.title')}
        list={list}
        rowId={({ id }) => id}
        {...useOpening('verifications', memberId)}
        columns={verificationColumns(t)}
      />
    </Block>
  )
}

function PasswordRequests({ memberId, t }: { memberId: string; t: Texts }) {
  const list = useOfficeList(passwordRequests.list, { query: { memberId } })
  return (
    <Block title={t('queue.password-requests.title')} flush>
      <ListTable
        label={t('queue.password-requests.title')}
        list={list}
        rowId={({ id }) => id}
        {...useOpening('password-requests', memberId)}
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
