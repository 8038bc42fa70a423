import { useContext, useEffect, useRef, type ReactNode } from 'react'
import { hrefTo, navigate } from '../../../src/router/hashLocation.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { IconButton } from '../../../src/ui/IconButton.tsx'
import type { Failure } from '../../../streams/index.ts'
import { actionsOf, onRequest, type Action } from '../../actions/action.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { MemberLanguage } from '../../ui/MemberLanguage.tsx'
import { RecordMember } from '../members/recordMember.ts'
import { useMemberCommands } from '../members/useMemberCommands.ts'
import { ClaimBar } from './ClaimBar.tsx'
import { useHolder } from './useHolder.ts'
import type { MemberOf } from './useMemberOf.ts'
import styles from './RequestLayout.module.css'

type RequestLayoutProps = {
  queue: QueueName
  id: string
  title: ReactNode
  member: MemberOf | null
  /** Its number and amount, which the dialogs name with the member. */
  subject?: { no: string; amount: string } | undefined
  /** Whom or what it is about, if it is no member. */
  whom?: string | undefined
  actions?: readonly (Action | false)[]
  failure?: Failure | undefined
  onDecided: (answer: unknown) => void
  onClose: () => void
  onSetAside?: (() => void) | undefined
  children: ReactNode
}

/** An open request: whose it is, what it says, who works on it, and what can be decided. */
export function RequestLayout(props: RequestLayoutProps) {
  const { queue, id, title, failure, subject, whom, onDecided, onClose, onSetAside, children } = props
  const inRecord = useContext(RecordMember)
  const member = inRecord !== null && inRecord.id === props.member?.id ? inRecord : props.member
  const t = useTexts()
  const format = useOfficeFormat()
  const holder = useHolder(queue, id)
  const actions = actionsOf(props.actions ?? []).map((action) => ({
    ...onRequest(action, `${queue} ${id}`, member),
    ...(holder !== null && { closed: t('error.claimed', { name: holder }) }),
  }))
  const about = [member?.account, whom, subject?.no, subject && format.money(subject.amount, 'never')]
    .filter((part) => part !== undefined && part !== null)
    .join(' · ')
  const body = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => takeFocus(heading.current), [])
  useMemberCommands(member?.id ?? null)
  useCommands([
    { label: 'keys.scrollDown', keys: 'PageDown', group: 'request', run: () => scroll(body.current, 1) },
    { label: 'keys.scrollUp', keys: 'PageUp', group: 'request', run: () => scroll(body.current, -1) },
  ])
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
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        {member !== null && member.account !== null && (
          <a className={styles.member} href={hrefTo(`/members/${member.id}`)}>
            {member.account}
          </a>
        )}
        {member !== null && <MemberLanguage language={member.language} />}
        <span className={styles.side}>
          <ClaimBar queue={queue} id={id} />
          <IconButton tip icon="x" size={18} label={t('keys.leave')} onClick={onClose} />
        </span>
      </header>
      <FailureLine failure={failure} />
      <div
        ref={body}
        className={styles.body}
        data-scrolls=""
        role="group"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label={t('request.facts')}
      >
        {children}
      </div>
      <footer className={styles.actions} hidden={actions.length === 0 && onSetAside === undefined}>
        <ActionBar actions={actions} about={about || undefined} onDone={onDecided} />
        {onSetAside !== undefined && (
          <Button variant="text" size="small" className={styles.aside} onClick={onSetAside}>
            {t('claim.aside')} <Keys keys="s" />
          </Button>
        )}
      </footer>
    </section>
  )
}

/** A request that opens has the focus, unless its row has: Enter would follow the link of the side bar that had it before. */
function takeFocus(heading: HTMLElement | null): void {
  const focused = document.activeElement
  if (focused === null || focused === document.body || focused.closest('nav') !== null)
    heading?.focus({ preventScroll: true })
}

/** How much of the height a page is, so that the last line of the one before is still in sight. */
const pagePart = 0.85

/** Scrolls the request by pages from anywhere; a zoomed picture with the focus scrolls itself. */
function scroll(body: HTMLElement | null, pages: 1 | -1): void {
  const focused = document.activeElement
  const inside = body?.contains(focused) === true && focused !== null ? focused : body
  const area = inside !== null && inside.scrollHeight > inside.clientHeight ? inside : body
  area?.scrollBy(0, area.clientHeight * pagePart * pages)
}
