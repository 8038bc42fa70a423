import { useTranslation } from 'react-i18next'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState } from '../../ui/index.ts'
import { RecordList } from './RecordList.tsx'
import { RecordRow } from '../../features/lists/RecordRow.tsx'
import { withdrawalSource } from './sources.ts'
import { useList } from '../../hooks/useList.ts'
import { useOpened } from './useOpened.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { accountTail, accountTitle, cancelledReason } from './walletLabels.ts'
import { WithdrawalSheet } from './WithdrawalSheet.tsx'

/** All withdrawals with their status, updated live. `?id=` opens one. */
export function Withdrawals() {
  const { t } = useTranslation()
  const list = useList(withdrawalSource)
  const { opened, close } = useOpened(list)
  return (
    <Page ground="market" title={t('title.withdrawals')} backTo={paths.user} live="events" refresh="bar">
      <RecordList
        list={list}
        at={(item) => item.createdAt}
        renderRow={(item) => <Row item={item} />}
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

function Row({ item }: { item: Withdrawal }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, account, amount, status, reason, createdAt } = item
  return (
    <RecordRow
      title={accountTitle(account)}
      caption={`${format.timeShort(createdAt)} · ${reason === cancelledReason ? t('withdraw.step.cancelled') : accountTail(account)}`}
      amount={format.money(amount)}
      below={<StatusBadge status={status} reason={reason} />}
      href={hrefTo(paths.withdrawals, { id })}
    />
  )
}
