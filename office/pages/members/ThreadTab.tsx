import type { Language } from '../../../contract/constants.ts'
import { Thread } from './Thread.tsx'
import styles from './ThreadTab.module.css'

/** The conversation in a member's record. */
export function ThreadTab({ memberId, language }: { memberId: string; language: Language | null }) {
  return (
    <div className={styles.tab}>
      <Thread memberId={memberId} language={language} />
    </div>
  )
}
