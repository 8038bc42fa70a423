import { useTranslation } from 'react-i18next'
import { appVersion } from '../../../contract/constants.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { LanguageSelect } from '../../shell/LanguageSelect.tsx'
import { Page } from '../../shell/Page.tsx'
import { conventionOf, preferences, themes, usePreferences } from '../../state/preferences.ts'
import type { Convention } from '../../state/preferences.ts'
import { isMember } from '../../state/session.ts'
import { Card, ListRow, Section, Segments } from '../../ui/index.ts'
import { ClearCache } from './ClearCache.tsx'
import styles from './Settings.module.css'

/** How the app looks on this device, and what it keeps here. */
export function Settings() {
  const { t } = useTranslation()
  return (
    <Page ground="money" title={t('title.settings')} backTo={isMember() ? paths.user : paths.welcome}>
      <div className={styles.stack}>
        <Section head="label" title={t('settings.display')} help={t('settings.colourHelp')}>
          <Card>
            <ListRow label={t('common.language')} end={<LanguageSelect form="row" />} />
            <ThemeRow />
            <ColourRow />
          </Card>
        </Section>
        <Section head="label" title={t('settings.thisDevice')}>
          <Card>
            <ClearCache />
            <ListRow label={t('settings.version')} value={appVersion} />
          </Card>
        </Section>
      </div>
    </Page>
  )
}

function ThemeRow() {
  const { t } = useTranslation()
  const { theme } = usePreferences()
  return (
    <ListRow
      label={t('settings.theme')}
      end={
        <Segments
          label={t('settings.theme')}
          items={themes.map((value) => ({ value, label: t(`settings.${value}`) }))}
          value={theme}
          onChange={(value) => {
            preferences.theme = value
          }}
        />
      }
    />
  )
}

function ColourRow() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { convention } = usePreferences()
  const usual = conventionOf(language)
  /** Who reads Korean means a blue fall when red rises. */
  const red: Convention = language === 'ko' ? 'red-blue' : 'red'
  const rising = (convention ?? usual) === 'green' ? 'green' : 'red'
  const items = [
    { value: 'green', label: <Rising hue="green" words={t('settings.greenUp')} /> },
    { value: 'red', label: <Rising hue="red" words={t('settings.redUp')} /> },
  ] as const
  return (
    <ListRow
      label={t('settings.colours')}
      end={
        <Segments
          label={t('settings.colours')}
          items={items}
          value={rising}
          onChange={(value) => {
            const chosen = value === 'green' ? 'green' : red
            preferences.convention = chosen === usual ? null : chosen
          }}
        />
      }
    />
  )
}

function Rising({ hue, words }: { hue: 'green' | 'red'; words: string }) {
  return (
    <span className={styles.rising}>
      <svg className={styles[hue]} width="8" height="7" viewBox="0 0 8 7" aria-hidden="true">
        <path d="M4 0 8 7H0z" fill="currentColor" />
      </svg>
      {words}
    </span>
  )
}
