import { useTranslation } from 'react-i18next'
import { TextLink } from '../../ui/index.ts'
import styles from './SortedNote.module.css'
import type { Sorting } from './sorting.ts'

export type SortedNoteProps = Pick<Sorting, 'isSorted' | 'reset'> & {
  /** The venue has more than is loaded. */
  isPartial: boolean
}

/** Above a list that is not newest first: what was sorted, and the way back. The venue itself lists newest first only. */
export function SortedNote({ isSorted, isPartial, reset }: SortedNoteProps) {
  const { t } = useTranslation()
  if (!isSorted) return null
  return (
    <div className={styles.note}>
      {isPartial && <p>{t('lists.partlySorted')}</p>}
      <TextLink onClick={reset}>{t('lists.newestFirst')}</TextLink>
    </div>
  )
}
