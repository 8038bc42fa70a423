import { useTranslation } from 'react-i18next'
import { preferences, usePreferences } from '../../state/preferences.ts'
import { IconButton } from '../../ui/index.ts'
import styles from './HideAmounts.module.css'

/** A toggle at the end of a card's first line that hides the member's amounts on every page. */
export function HideAmounts() {
  const { t } = useTranslation()
  const { amountsHidden } = usePreferences()
  return (
    <IconButton
      className={styles.eye}
      icon={amountsHidden ? 'eye-slash' : 'eye'}
      size={20}
      label={t(amountsHidden ? 'home.showAmounts' : 'home.hideAmounts')}
      onClick={() => {
        preferences.amountsHidden = !amountsHidden
      }}
    />
  )
}
