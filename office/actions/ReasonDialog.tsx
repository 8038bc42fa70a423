import { useRef, useState, type KeyboardEvent } from 'react'
import { TextArea } from '../../src/ui/TextArea.tsx'
import { joinSentences } from '../canned/canned.ts'
import { useCanned } from '../canned/useCanned.ts'
import { currentLanguage, useTexts } from '../i18n.ts'
import type { useKeptText } from '../state/drafts.ts'
import { keyOf } from '../keys/commands.ts'
import { sendByKey } from '../keys/sendByKey.ts'
import { LanguageChoice } from '../ui/LanguageChoice.tsx'
import { useReadLanguage } from '../ui/useReadLanguage.ts'
import type { Needed } from './action.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { DigitList } from './DigitList.tsx'
import styles from './ReasonDialog.module.css'

type ReasonDialogProps = Omit<Parameters<typeof DecideDialog>[0], 'children' | 'onConfirm'> & {
  needs: Extract<Needed, { kind: 'reason' }>
  /** What was written in own words, and its setter. */
  kept: ReturnType<typeof useKeptText>
  onConfirm: (reason: string) => void
}

const reasonMax = 300
/** Any two sentences fit in a reason. */
const sentencesMax = 2

/**
 * Asks for a reason that the member reads, in the member's language: a digit chooses a sentence or takes it back, Enter
 * sends. The clerk reads the sentences in the office's language. If the member's is not known, a sentence is sent only once it is chosen.
 */
export function ReasonDialog({ needs, kept, onConfirm, ...shared }: ReasonDialogProps) {
  const t = useTexts()
  const { topic, member = null } = needs
  const { language, check, choice } = useReadLanguage(member)
  const { [needs.without ?? '']: _unfit, ...own }: Record<string, string> =
    useCanned(currentLanguage())?.reasons[topic] ?? {}
  const theirs: Record<string, string> = useCanned(language)?.reasons[topic] ?? {}
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [written, setWritten] = kept
  const [isMissing, setMissing] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const sentences = Object.keys(own).flatMap((key) => (chosen.includes(key) ? (theirs[key] ?? []) : []))
  const text = chosen.length === 0 ? written : joinSentences(language, sentences)
  const reason = text.trim()
  const choose = (key: string): void => {
    if (chosen.includes(key)) setChosen(chosen.filter((one) => one !== key))
    else if (chosen.length < sentencesMax) setChosen([...chosen, key])
  }
  const send = (): void => {
    // Own words are in whatever language they are.
    if (chosen.length > 0 && !check()) return
    if (reason === '') setMissing(true)
    else onConfirm(reason)
  }
  const press = (event: KeyboardEvent): void => {
    const key = Object.keys(own)[Number(keyOf(event)) - 1]
    // A key held down would choose and take back in turn.
    if (key !== undefined && !event.repeat) choose(key)
    const boxes = [...event.currentTarget.querySelectorAll('input')]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      boxes[boxes.findIndex((box) => box === document.activeElement) + step]?.focus()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.currentTarget.closest('form')?.requestSubmit()
  }
  return (
    <DecideDialog {...shared} focus={list} onConfirm={send}>
      <DigitList
        ref={list}
        aria-label={t('reject.reasons')}
        tabIndex={-1}
        options={Object.entries(own).map(([value, label]) => ({ value, label }))}
        chosen={chosen}
        max={sentencesMax}
        onValue={choose}
        onKeyDown={press}
      />
      <div role="presentation" className={styles.language} onKeyDown={sendByKey}>
        <LanguageChoice {...choice} label={t('reject.language')} ofMember={member?.language ?? null} />
      </div>
      <TextArea
        label={t('reject.text')}
        error={isMissing && reason === '' ? t('error.missing') : undefined}
        maxLength={reasonMax}
        rows={3}
        lang={language ?? undefined}
        value={text}
        onKeyDown={sendByKey}
        onChange={(event) => {
          setChosen([])
          setWritten(event.currentTarget.value)
        }}
      />
    </DecideDialog>
  )
}
