import type { ReactNode } from 'react'
import { hrefTo, navigate } from '../../../src/router/hashLocation.ts'
import { IconButton } from '../../../src/ui/IconButton.tsx'
import type { Failure } from '../../../streams/index.ts'
import { actionsOf } from '../../actions/action.ts'
import type { Action } from '../../actions/action.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { useTexts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import type { QueueName } from '../../../contract/backOffice/queues.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ClaimBar } from './ClaimBar.tsx'
import styles from './RequestFrame.module.css'

type RequestFrameProps = {
  queue: QueueName
  id: string
  title: ReactNode
  member: { id: string; account: string } | null
  actions?: readonly (Action | false)[]
  failure?: Failure | undefined
  onDecided: (answer: unknown) => void
  onClose: () => void
  children: ReactNode
}

/** An open request: whose it is, what it says, who works on it, and what can be decided. */
export function RequestFrame(props: RequestFrameProps) {
  const { queue, id, title, member, failure, onDecided, onClose, children } = props
  const t = useTexts()
  const actions = actionsOf(props.actions ?? [])
  useCommands([
    member !== null && {
      label: 'keys.member',
      keys: 'm',
      group: 'request',
      run: () => navigate(`/members/${member.id}`),
    },
  ])
  return (
    <section className={styles.frame} aria-label={t('request.label')}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {member !== null && (
          <a className={styles.member} href={hrefTo(`/members/${member.id}`)}>
            {member.account}
          </a>
        )}
        <span className={styles.side}>
          <ClaimBar queue={queue} id={id} />
          <IconButton icon="x" size={18} label={t('keys.leave')} onClick={onClose} />
        </span>
      </header>
      <FailureLine failure={failure} />
      <div className={styles.body}>{children}</div>
      {actions.length > 0 && (
        <footer className={styles.actions}>
          <ActionBar actions={actions} onDone={onDecided} />
        </footer>
      )}
    </section>
  )
}
