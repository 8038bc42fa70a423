import { useTranslation } from 'react-i18next'
import { archiveName, archiveType, memberRoutes } from '../../../contract/member.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { paths } from '../../paths.ts'
import { DownloadButton } from '../../shell/DownloadButton.tsx'
import { Page } from '../../shell/Page.tsx'
import { Card, Section } from '../../ui/index.ts'
import { CloseAccount } from './CloseAccount.tsx'
import sheet from '../../features/passkeys/ConfirmSheet.module.css'
import styles from './OwnData.module.css'

const noQuery = {}

/** Download of the member's data as one file, and closing of the account. */
export function OwnData() {
  const { t } = useTranslation()
  const format = useFormat()
  const isPractice = useVenueConfig()?.mode === 'practice'
  const facts = ['goes', 'stays'] as const
  return (
    <Page ground="money" title={t('title.ownData')} backTo={paths.settings}>
      <div className={styles.stack}>
        <Section head="label" title={t('ownData.download')}>
          <Card padded>
            <div className={styles.part}>
              <p className={sheet.text}>{t('ownData.downloadText')}</p>
              <DownloadButton
                block
                route={memberRoutes.exportData}
                query={noQuery}
                name={archiveName}
                type={archiveType}
                label={t('ownData.download')}
              />
            </div>
          </Card>
        </Section>
        <Section head="label" title={t('ownData.close')}>
          <Card padded>
            <div className={styles.part}>
              <p className={sheet.text}>
                {t(isPractice ? 'ownData.closePracticeText' : 'ownData.closeText', {
                  zero: format.money('0.00'),
                })}
              </p>
              {facts.map((fact) => (
                <div key={fact}>
                  <h3 className={styles.fact}>{t(`ownData.${fact}`)}</h3>
                  <p className={sheet.text}>{t(`ownData.${fact}Text`)}</p>
                </div>
              ))}
              <CloseAccount />
            </div>
          </Card>
        </Section>
      </div>
    </Page>
  )
}
