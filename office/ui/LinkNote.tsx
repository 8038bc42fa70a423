import type { ReactNode } from 'react'
import { copyText } from '../../src/lib/copyText.ts'
import { Button } from '../../src/ui/Button.tsx'
import { toast } from '../../src/ui/toastStore.ts'
import { useTexts } from '../i18n.ts'
import styles from './LinkNote.module.css'

type LinkNoteProps = {
  text: ReactNode
  link: string
  /** It is a code that is read out. */
  isCode?: boolean
  note?: ReactNode
  onClose: () => void
}

/** What is handed over. It is shown once. */
export function LinkNote({ text, link, isCode = false, note, onClose }: LinkNoteProps) {
  const t = useTexts()
  const copy = async (): Promise<void> => {
    if (await copyText(link)) toast({ text: t('link.copied'), kind: 'success' })
  }
  return (
    <div className={styles.note} role="status">
      <p>{text}</p>
      <p className={styles.link}>{link}</p>
      {note !== undefined && <p className={styles.more}>{note}</p>}
      <div className={styles.buttons}>
        {!isCode && (
          <Button size="small" onClick={() => void copy()}>
            {t('link.copy')}
          </Button>
        )}
        <Button size="small" variant="secondary" onClick={onClose}>
          {t('action.close')}
        </Button>
      </div>
    </div>
  )
}

/** The code in the answer of a proposal, for the first of two persons. */
export const firstCodeIn = (answer: unknown): string | null =>
  typeof answer === 'object' &&
  answer !== null &&
  'firstCode' in answer &&
  typeof answer.firstCode === 'string'
    ? answer.firstCode.replace(/(.{4})/, '$1 ')
    : null

/** The link in the answer of a decision, or in the result of one that a second person confirmed. */
export function linkIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  if ('link' in answer && typeof answer.link === 'string') return answer.link
  return 'result' in answer ? linkIn(answer.result) : null
}
