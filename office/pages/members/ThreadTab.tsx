import { Thread } from './Thread.tsx'
import styles from './ThreadTab.module.css'

/** The conversation in a member's record. */
export function ThreadTab({ memberId }: { memberId: string }) {
  return (
    <div className={styles.tab}>
      <Thread memberId={memberId} />
    </div>
  )
}
