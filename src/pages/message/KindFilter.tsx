import { useTranslation } from 'react-i18next'
import { messageCategories, type MessageCategory } from '../../../contract/content.ts'
import styles from '../../features/lists/FilterBar.module.css'
import { Pill } from '../../ui/index.ts'

export type KindFilterProps = {
  kind: MessageCategory | undefined
  onKind: (kind: MessageCategory | undefined) => void
}

/** Shows messages of one kind, or all. */
export function KindFilter({ kind, onKind }: KindFilterProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.filters} aria-label={t('orders.filters')}>
      <Pill selected={kind === undefined} onClick={() => onKind(undefined)}>
        {t('common.all')}
      </Pill>
      {messageCategories.map((category) => (
        <Pill key={category} selected={kind === category} onClick={() => onKind(category)}>
          {t(`message.kind.${category}`)}
        </Pill>
      ))}
    </fieldset>
  )
}
