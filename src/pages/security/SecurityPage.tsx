import { useTranslation } from 'react-i18next'
import { PendingCard } from '../../features/account/PendingCard.tsx'
import { passkeySupport } from '../../features/passkeys/passkeys.ts'
import { useSecondFactors } from '../../features/passkeys/useSecondFactors.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { AppSection } from './AppSection.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import styles from './SecurityPage.module.css'

/** The second factors of the member: passkeys, the authenticator app, recovery codes. */
export function SecurityPage() {
  const { t } = useTranslation()
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
          <PendingCard loadable={loadable} failedTitle={t('security.failed')} onRetry={reload} />
        )}
      </div>
    </Page>
  )
}
