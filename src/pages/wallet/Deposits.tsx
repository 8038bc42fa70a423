import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { Deposit, DepositMethod } from '../../../contract/deposits.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { Format } from '../../text/format.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState } from '../../ui/index.ts'
import { CopyNumber } from '../../features/copy/CopyNumber.tsx'
import { figureColumn, textColumn } from '../../features/lists/sorting.ts'
import { RecordList, type RecordColumns } from './RecordList.tsx'
import { RecordRow } from '../../features/lists/RecordRow.tsx'
import { RecordSheet } from './RecordSheet.tsx'
import { depositSource } from './sources.ts'
import { StatusBadge } from './StatusBadge.tsx'
import type { TimelineNode } from '../../features/transfers/Timeline.tsx'
import { useList } from '../../hooks/useList.ts'
import { useDepositMethods } from './useDepositMethods.ts'
import { useOpened } from './useOpened.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import { methodName, statusTextOf } from './walletLabels.ts'

/** All deposits with their status, updated live. `?id=` opens one. */
export function Deposits() {
  const { t } = useTranslation()
  const list = useList(depositSource)
  const { opened, close } = useOpened(list)
  const methods = valueOf(useDepositMethods().loadable)
  /** A method that is no longer offered has no name here. */
  const nameOf = useCallback((id: string): string => nameIn(t, methods, id), [t, methods])
  const language = useLanguage()
  const columns = useMemo(
    (): RecordColumns<Deposit> => ({
      title: { label: t('deposit.method'), sort: textColumn(language, ({ methodId }) => nameOf(methodId)) },
      no: { label: t('wallet.number') },
      time: { label: t('chart.time') },
      below: { label: t('fund.lotStatus'), sort: textColumn(language, statusTextOf(t)) },
      amount: { label: t('order.amount'), sort: figureColumn(({ amount }) => moneyOf(amount)) },
    }),
    [t, language, nameOf],
  )
  return (
    <Page
      ground="market"
      title={t('title.deposits')}
      backTo={paths.user}
      width="wide"
      receives="events"
      refresh="bar"
    >
      <RecordList
        list={list}
        at={(item) => item.createdAt}
        renderRow={(item, dated) => <Row {...{ item, dated }} method={nameOf(item.methodId)} />}
        columns={columns}
        failedTitle={t('deposit.listFailed')}
        empty={
          <EmptyState
            icon="arrow-down-left"
            title={t('deposit.listEmpty')}
            action={
              <Button variant="secondary" href={hrefTo(paths.deposit)}>
                {t('title.deposit')}
              </Button>
            }
          >
            {t('deposit.listEmptyText')}
          </EmptyState>
        }
      />
      <DepositSheet deposit={opened} nameOf={nameOf} onClose={close} />
    </Page>
  )
}

function nameIn(t: TFunction, methods: readonly DepositMethod[] | undefined, id: string): string {
  const method = methods?.find((candidate) => candidate.id === id)
  return method ? methodName(t, method) : t('deposit.one')
}

function Row({ item, method, dated }: { item: Deposit; method: string; dated: boolean }) {
  const format = useFormat()
  const { id, no, amount, status, reason, createdAt } = item
  return (
    <RecordRow
      title={method}
      caption={dated ? format.dateTimeShort(createdAt) : format.timeShort(createdAt)}
      no={no}
      amount={format.money(amount)}
      below={<StatusBadge status={status} reason={reason} />}
      href={hrefTo(paths.deposits, { id })}
    />
  )
}

type DepositSheetProps = {
  deposit: Deposit | undefined
  nameOf: (methodId: string) => string
  onClose: () => void
}

function DepositSheet({ deposit, nameOf, onClose }: DepositSheetProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const shown = useLastDefined(deposit)
  if (shown === undefined) return null
  const { amount, status, reason, methodId, no } = shown
  return (
    <RecordSheet
      open={deposit !== undefined}
      onClose={onClose}
      title={t('deposit.one')}
      amount={format.money(amount)}
      status={status}
      reason={reason}
      nodes={depositTimeline(t, format, shown)}
      facts={[
        { key: 'method', label: t('deposit.method'), value: nameOf(methodId) },
        {
          key: 'no',
          label: t('wallet.number'),
          value: <CopyNumber text={no} label={t('wallet.number')} />,
        },
      ]}
    />
  )
}

/**
 * Submitted, then credited or rejected with its reason, or the steps still ahead; credited by one person, its second one.
 * Of one that was credited first and rejected then, only the time of the rejection is known.
 */
function depositTimeline(
  t: TFunction,
  format: Format,
  { createdAt, decidedAt, status, reason, awaitsSecondPerson, reversed }: Deposit,
): TimelineNode[] {
  const submitted: TimelineNode = {
    key: 'submitted',
    title: t('deposit.step.submitted'),
    when: format.dateTimeShort(createdAt),
    state: 'done',
  }
  const decided = decidedAt === null ? {} : { when: format.dateTimeShort(decidedAt) }
  if (status === 'successful') {
    const credited = {
      key: 'credited',
      title: t('deposit.step.credited'),
      state: 'done',
      ...decided,
    } as const
    if (!awaitsSecondPerson) return [submitted, credited]
    const caption = t('deposit.bySecondPerson')
    return [
      submitted,
      credited,
      { key: 'review', title: t('wallet.status.under_review'), caption, state: 'now' },
      { key: 'confirmed', title: t('deposit.step.confirmed'), state: 'ahead' },
    ]
  }
  if (status === 'failed') {
    const rejected = { state: 'failed', ...decided, ...(reason === null ? {} : { caption: reason }) } as const
    if (reversed === null)
      return [submitted, { key: 'rejected', title: t('deposit.step.refused'), ...rejected }]
    return [
      submitted,
      { key: 'credited', title: t('deposit.step.credited'), state: 'done' },
      {
        key: 'reversed',
        title: t('deposit.step.reversed', { amount: format.money(reversed) }),
        ...rejected,
      },
    ]
  }
  return [
    submitted,
    { key: 'review', title: t('wallet.status.under_review'), caption: t('deposit.byService'), state: 'now' },
    { key: 'credited', title: t('deposit.step.credited'), state: 'ahead' },
  ]
}
