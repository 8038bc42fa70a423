import { useTranslation } from 'react-i18next'
import { changeLanguage, isOffered, offeredLanguages } from '../text/i18n.ts'
import { languageNames } from '../text/languageNames.ts'
import { useLanguage } from '../hooks/useFormat.ts'
import { cx } from '../ui/cx.ts'
import { Icon } from '../ui/Icon.tsx'
import { toast } from '../ui/toastStore.ts'
import { reportFailure } from '../start/reportFailure.ts'
import styles from './LanguageSelect.module.css'

/** A language select. The browser's own select covers the text, so a phone shows its native picker. */
export function LanguageSelect({ variant }: { variant: 'name' | 'short' | 'row' | 'rail' }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { own, short } = languageNames[language]
  const choose = (code: string): void => {
    if (isOffered(code)) {
      changeLanguage(code).catch(() => {
        reportFailure('other', `locales/${code}`)
        toast({ text: t('settings.languageFailed'), kind: 'problem' })
      })
    }
  }
  return (
    // In a bar it has its own padding, as icon buttons do.
    <span className={cx(styles.box, styles[variant])} data-icon-button="">
      {variant !== 'row' && <Icon name="globe" size={variant === 'rail' ? 22 : 20} />}
      <span className={styles.name} aria-hidden="true">
        {variant === 'short' ? short : own}
      </span>
      {variant === 'name' && <Icon name="caret-down" size={16} />}
      {variant === 'row' && <Icon name="caret-right" size={16} className={styles.caret} />}
      <select
        className={styles.native}
        aria-label={t('common.language')}
        value={language}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {offeredLanguages.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageNames[code].own}
          </option>
        ))}
      </select>
    </span>
  )
}
