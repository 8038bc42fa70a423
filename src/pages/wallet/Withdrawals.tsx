import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState } from '../../ui/index.ts'
import { figureColumn, textColumn } from '../../features/lists/sorting.ts'
import { RecordList, type RecordColumns } from './RecordList.tsx'
import { RecordRow } from '../../features/lists/RecordRow.tsx'
import { withdrawalSource } from './sources.ts'
import { useList } from '../../hooks/useList.ts'
import { useOpened } from './useOpened.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { accountTail, accountTitle, cancelledReason, statusTextOf } from './walletLabels.ts'
import { WithdrawalSheet } from './WithdrawalSheet.tsx'

/** All withdrawals with their status, updated live. `?id=` opens one. */
export function Withdrawals() {
  const { t } = useTranslation()
  const list = useList(withdrawalSource)
  const { opened, close } = useOpened(list)
  const language = useLanguage()
  const columns = useMemo(
    (): RecordColumns<Withdrawal> => ({
      title: {
        label: t('title.withdrawalAccount'),
        sort: textColumn(language, ({ account }) => accountTitle(account)),
      },
      no: { label: t('wallet.number') },
      time: { label: t('chart.time') },
      below: { label: t('fund.lotStatus'), sort: textColumn(language, statusTextOf(t)) },
      amount: { label: t('order.amount'), sort: figureColumn(({ amount }) => moneyOf(amount)) },
    }),
    [t, language],
  )
  return (
    <Page
      ground="market"
      title={t('title.withdrawals')}
      backTo={paths.user}
      width="wide"
      receives="events"
      refresh="bar"
    >
      <RecordList
        list={list}
        at={(item) => item.createdAt}
        renderRow={(item, dated) => <Row {...{ item, dated }} />}
        columns={columns}
        failedTitle={t('withdraw.listFailed')}
        empty={
          <EmptyState
            icon="arrow-up-right"
            title={t('withdraw.listEmpty')}
            action={
              <Button variant="secondary" href={hrefTo(paths.withdraw)}>
                {t('title.withdraw')}
              </Button>
            }
          >
            {t('withdraw.listEmptyText')}
          </EmptyState>
        }
      />
      <WithdrawalSheet withdrawal={opened} onClose={close} onChanged={list.upsert} />
    </Page>
  )
}

function Row({ item, dated }: { item: Withdrawal; dated: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, no, account, amount, status, reason, createdAt } = item
  const time = dated ? format.dateTimeShort(createdAt) : format.timeShort(createdAt)
  return (
    <RecordRow
      title={`${accountTitle(account)} ${accountTail(account)}`}
      caption={reason === cancelledReason ? `${time} · ${t('withdraw.step.cancelled')}` : time}
      no={no}
      amount={format.money(amount)}
      below={<StatusBadge status={status} reason={reason} />}
      href={hrefTo(paths.withdrawals, { id })}
    />
  )
}
