import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, Card, EmptyState, ListRow, Skeleton } from '../../ui/index.ts'
import { AccountCaption } from './AccountLines.tsx'
import { ServiceNote } from './ServiceNote.tsx'
import { useWithdrawalAccount } from '../../features/account/useWithdrawalAccount.ts'
import styles from './Wallet.module.css'
import { accountTitle } from './walletLabels.ts'
import { Loaded } from '../../shell/Loaded.tsx'

/** The destination of withdrawals: the bound account, or a link to bind one. */
export function WithdrawalAccountPage() {
  const { t } = useTranslation()
  const { loadable, reload } = useWithdrawalAccount()
  return (
    <Page ground="money" title={t('title.withdrawalAccount')} backTo={paths.user} receives="events">
      <Loaded
        of={loadable}
        failed={t('account.failed')}
        retry={reload}
        skeleton={
          <output className={styles.stack} aria-label={t('common.loading')}>
            <Skeleton height={72} radius={12} />
          </output>
        }
      >
        {({ account }) =>
          account === null ? (
            <EmptyState
              icon="bank"
              title={t('error.NOT_BOUND')}
              action={<Button href={hrefTo(paths.accountDetail)}>{t('account.bind')}</Button>}
            >
              {t('account.bindText')}
            </EmptyState>
          ) : (
            <div className={styles.stack}>
              <Card>
                <ListRow
                  icon={account.type === 'bank' ? 'bank' : 'wallet'}
                  label={accountTitle(account)}
                  caption={<AccountCaption account={account} />}
                  href={hrefTo(paths.accountDetail)}
                />
              </Card>
              <ServiceNote lock />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}
