import { useTranslation } from 'react-i18next'
import { valueOf } from '../../hooks/useObservable.ts'
import { useServiceHref } from '../../hooks/useVenue.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState, Skeleton } from '../../ui/index.ts'
import { DepositForm } from './DepositForm.tsx'
import { RecordsLink } from './RecordsLink.tsx'
import { useDepositMethods } from './useDepositMethods.ts'
import styles from './Wallet.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

/** A deposit by one of the venue's methods. */
export function Deposit() {
  const { t } = useTranslation()
  const { loadable, reload } = useDepositMethods()
  const methods = valueOf(loadable)
  const serviceHref = useServiceHref()
  if (methods?.[0]) return <DepositForm methods={methods} first={methods[0]} />
  return (
    <Page
      ground="market"
      title={t('title.deposit')}
      backTo={paths.user}
      receives="events"
      actions={<RecordsLink to={paths.deposits} />}
    >
      <Loaded
        of={loadable}
        failed={t('deposit.failed')}
        retry={reload}
        skeleton={
          <output className={styles.form} aria-label={t('common.loading')}>
            <Skeleton height={72} radius={8} />
            <Skeleton height={88} radius={8} />
            <Skeleton height={72} radius={8} />
          </output>
        }
        empty={
          <EmptyState
            icon="arrow-down-left"
            title={t('deposit.noMethods')}
            action={
              <Button variant="secondary" href={serviceHref}>
                {t('account.contact')}
              </Button>
            }
          >
            {t('deposit.noMethodsText')}
          </EmptyState>
        }
      />
    </Page>
  )
}
