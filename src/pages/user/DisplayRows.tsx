import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../hooks/useFormat.ts'
import {
  conventionOf,
  preferences,
  themes,
  usePreferences,
  type Convention,
} from '../../state/preferences.ts'
import { ListRow, Segments } from '../../ui/index.ts'
import styles from './Settings.module.css'

/** The theme: light, dark or the device's. */
export function ThemeRow() {
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

/** The colour of rising prices; arrows and signs do not change. */
export function ColourRow() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { convention } = usePreferences()
  const defaultConvention = conventionOf(language)
  /** In Korea falling prices are blue if rising ones are red. */
  const red: Convention = language === 'ko' ? 'red-blue' : 'red'
  const rising = (convention ?? defaultConvention) === 'green' ? 'green' : 'red'
  const items = [
    { value: 'green', label: <Rising hue="green" label={t('settings.greenUp')} /> },
    { value: 'red', label: <Rising hue="red" label={t('settings.redUp')} /> },
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
            const selected = value === 'green' ? 'green' : red
            preferences.convention = selected === defaultConvention ? null : selected
          }}
        />
      }
    />
  )
}

function Rising({ hue, label }: { hue: 'green' | 'red'; label: string }) {
  return (
    <span className={styles.rising}>
      <svg className={styles[hue]} width="8" height="7" viewBox="0 0 8 7" aria-hidden="true">
        <path d="M4 0 8 7H0z" fill="currentColor" />
      </svg>
      {label}
    </span>
  )
}
