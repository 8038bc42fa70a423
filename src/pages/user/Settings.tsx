import { useTranslation } from 'react-i18next'
import { appVersion } from '../../../contract/constants.ts'
import { paths } from '../../paths.ts'
import { LanguageSelect } from '../../shell/LanguageSelect.tsx'
import { hrefTo } from '../../router/hashLocation.ts'
import { SaveReportRow } from '../../report/SaveReport.tsx'
import { Page } from '../../shell/Page.tsx'
import { useSession } from '../../state/session.ts'
import { Card, ListRow, Section } from '../../ui/index.ts'
import { ClearCache } from './ClearCache.tsx'
import { ColourRow, ThemeRow } from './DisplayRows.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import { HiddenResultsRow } from './HiddenResultsRow.tsx'
import { OneTapRow } from './OneTapRow.tsx'
import { SelfLimitsRow } from './SelfLimitsRow.tsx'
import { ProfileRows } from './ProfileRows.tsx'
import { Security } from './Security.tsx'
import styles from './Settings.module.css'

/** Settings: display, account security, and the storage on this device. */
export function Settings() {
  const { t } = useTranslation()
  const { token, userInfo } = useSession()
  const user = token === null ? null : userInfo
  return (
    <Page ground="money" title={t('title.settings')} backTo={user ? paths.user : paths.welcome}>
      <div className={styles.stack}>
        <Section head="label" title={t('settings.display')} help={t('settings.colourHelp')}>
          <Card>
            <ListRow label={t('common.language')} end={<LanguageSelect variant="row" />} />
            <ThemeRow />
            <ColourRow />
          </Card>
        </Section>
        {user && (
          <>
            <Security />
            <Section head="label" title={t('settings.limits')}>
              <Card>
                <SelfLimitsRow />
                <OneTapRow user={user} />
              </Card>
            </Section>
            <Section head="label" title={t('settings.profile')}>
              <Card>
                <ProfileRows user={user} />
                <ListRow label={t('title.ownData')} href={hrefTo(paths.ownData)} />
              </Card>
            </Section>
          </>
        )}
        <Section head="label" title={t('settings.thisDevice')}>
          <Card>
            {!window.isSecureContext && (
              <ListRow label={t('settings.insecure')} caption={t('settings.insecureText')} />
            )}
            {user && <NotificationRow />}
            {user && <HiddenResultsRow />}
            <ClearCache />
            <SaveReportRow />
            <ListRow label={t('settings.version')} value={appVersion} />
          </Card>
        </Section>
      </div>
    </Page>
  )
}
