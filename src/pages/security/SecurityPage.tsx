import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { passkeySupport } from '../../features/passkeys/passkeys.ts'
import { useSecondFactors } from '../../features/passkeys/useSecondFactors.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Card, ErrorState, Skeleton } from '../../ui/index.ts'
import { AppSection } from './AppSection.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import styles from './SecurityPage.module.css'

/** The second factors of the member: passkeys, the authenticator app, recovery codes. */
export function SecurityPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { loadable, reload } = useSecondFactors()
  const factors = valueOf(loadable)
  const hasPasskey = factors !== undefined && factors.passkeys.length > 0 && passkeySupport() === 'usable'
  return (
    <Page ground="money" title={t('title.security')} backTo={paths.settings}>
      <div className={styles.stack}>
        {factors ? (
          <>
            <PasskeySection passkeys={factors.passkeys} hasPasskey={hasPasskey} onChanged={reload} />
            <AppSection factors={factors} hasPasskey={hasPasskey} onChanged={reload} />
          </>
        ) : (
          <Card>
            {loadable.state === 'failed' ? (
              <ErrorState title={t('security.failed')} retryLabel={t('common.retry')} onRetry={reload}>
                {failureText(t, format, loadable.failure)}
              </ErrorState>
            ) : (
              <div className={styles.loading}>
                <Skeleton line={15} width={160} />
                <Skeleton line={12} width={220} />
              </div>
            )}
          </Card>
        )}
      </div>
    </Page>
  )
}
