import type { MemberView } from './memberView.ts'
import { Thread } from './Thread.tsx'
import styles from './ThreadTab.module.css'

/** The conversation in a member's record. */
export function ThreadTab({ member }: { member: MemberView }) {
  return (
    <div className={styles.tab}>
      <Thread memberId={member.id} reads={member} held={member.assets.held} />
    </div>
  )
}
