import { useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { moneyOf } from '../../contract/money.ts'
import { secondNoteMax } from '../../contract/office/fourEyes.ts'
import { Button } from '../../src/ui/Button.tsx'
import { Checkbox } from '../../src/ui/Checkbox.tsx'
import { Sheet } from '../../src/ui/dialogs/Sheet.tsx'
import { Field } from '../../src/ui/Field.tsx'
import { TextArea } from '../../src/ui/TextArea.tsx'
import type { Failure } from '../../streams/index.ts'
import { amountTyped } from '../data/amountTyped.ts'
import { useTexts, type TextKey } from '../i18n.ts'
import { sendByKey } from '../keys/sendByKey.ts'
import { FailureLine } from '../ui/FailureLine.tsx'
import { Warnings } from '../ui/Warnings.tsx'
import type { Danger } from './action.ts'
import styles from './DecideDialog.module.css'

type DecideDialogProps = {
  /** What is done: also the text of the button. */
  title: string
  onConfirm: () => void
  onClose: () => void
  busy: boolean
  failure?: Failure | undefined
  /** To what it is done: member, number, amount. */
  about?: ReactNode
  /** What must be ticked first; it has the focus. */
  tick?: string | undefined
  /** What could be wrong. Then the amount or a word must be typed, and the button has no focus. */
  danger?: Danger | undefined
  /** Why it cannot be done any more. */
  closed?: string | undefined
  /** It takes something away: the focus is on Cancel, and the button is red. */
  harm?: boolean | undefined
  /** Says that it cannot be undone. */
  final?: string | undefined
  /** The effect of the action. */
  summary?: ReactNode
  /** What is written for the second person, if there is one. */
  note?: { text: string; onText: (text: string) => void } | undefined
  /** Fields that it needs. */
  children: ReactNode
  /** Takes the focus instead of the button. */
  focus?: RefObject<HTMLElement | null>
}

/**
 * Asks once more before something is decided. It was asked for by a key or a button of its own, so that the button that
 * does it has the focus: Enter is the second press. What could be wrong comes before everything else.
 */
export function DecideDialog(props: DecideDialogProps) {
  const { title, onConfirm, onClose, busy, failure, about, summary, children, focus, danger, closed } = props
  const { harm = false, final, note, tick } = props
  const t = useTexts()
  const formId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const typed = useTyped(danger, input)
  const box = useRef<HTMLInputElement>(null)
  const ticked = useTicked(tick, box)
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      closeLabel={t('action.close')}
      locked={busy}
      initialFocus={
        focus ?? (tick !== undefined ? box : danger !== undefined ? input : harm ? cancel : button)
      }
      footer={
        <div className={styles.answers}>
          <Button ref={cancel} variant="secondary" disabled={busy} onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            ref={button}
            type="submit"
            form={formId}
            variant={danger === undefined && !harm ? 'primary' : 'secondary'}
            className={harm ? styles.harm : undefined}
            busy={busy}
            disabled={closed !== undefined}
          >
            {title}
          </Button>
        </div>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (closed === undefined && ticked.check() && typed.check()) onConfirm()
        }}
      >
        <Warnings texts={[...(danger?.warnings ?? []), ...(closed === undefined ? [] : [closed])]} />
        {about !== undefined && <p className={styles.about}>{about}</p>}
        {summary}
        {children}
        {tick !== undefined && <TickField text={tick} box={box} ticked={ticked} />}
        {note !== undefined && <NoteField {...note} />}
        {danger !== undefined && <TypedField danger={danger} input={input} typed={typed} />}
        {final !== undefined && <p className={styles.final}>{final}</p>}
        <FailureLine failure={failure} />
      </form>
    </Sheet>
  )
}

const isTyped = (danger: Danger, text: string): boolean =>
  'amount' in danger
    ? amountTyped(text) === moneyOf(danger.amount)
    : text.trim().toLowerCase() === danger.word.toLowerCase()

/** What must be typed if there is a danger; without one it is always right. */
function useTyped(danger: Danger | undefined, input: RefObject<HTMLInputElement | null>) {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  return {
    text,
    isWrong,
    setText: (next: string) => {
      setText(next)
      setWrong(false)
    },
    check: (): boolean => {
      const isRight = danger === undefined || isTyped(danger, text)
      setWrong(!isRight)
      if (!isRight) input.current?.focus()
      return isRight
    },
  }
}

/** What must be ticked; without it all is. */
function useTicked(tick: string | undefined, box: RefObject<HTMLInputElement | null>) {
  const [chosen, choose] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  // Another text that must be ticked is not ticked yet.
  const checked = tick !== undefined && chosen === tick
  return {
    checked,
    setChecked: (next: boolean) => choose(next ? tick : undefined),
    isMissing: isMissing && !checked,
    check: (): boolean => {
      const isDone = tick === undefined || checked
      setMissing(!isDone)
      if (!isDone) box.current?.focus()
      return isDone
    },
  }
}

type TickFieldProps = {
  text: string
  box: RefObject<HTMLInputElement | null>
  ticked: ReturnType<typeof useTicked>
}

function TickField({ text, box, ticked: { checked, setChecked, isMissing } }: TickFieldProps) {
  const t = useTexts()
  return (
    <Checkbox
      ref={box}
      checked={checked}
      onChange={setChecked}
      error={isMissing ? t('error.missing') : undefined}
    >
      {text}
    </Checkbox>
  )
}

const typedTexts: Record<'amount' | 'proof' | 'word', { label: TextKey; hint?: TextKey; other: TextKey }> = {
  amount: { label: 'danger.type', hint: 'danger.typeHint', other: 'danger.other' },
  proof: { label: 'danger.typeProof', hint: 'danger.typeProofHint', other: 'danger.otherProof' },
  word: { label: 'danger.typeWord', other: 'danger.otherWord' },
}

type TypedFieldProps = {
  danger: Danger
  input: RefObject<HTMLInputElement | null>
  typed: ReturnType<typeof useTyped>
}

function TypedField({ danger, input, typed }: TypedFieldProps) {
  const t = useTexts()
  const isAmount = 'amount' in danger
  const { label, hint, other } =
    typedTexts[isAmount ? (danger.ofProof === true ? 'proof' : 'amount') : 'word']
  return (
    <Field
      ref={input}
      label={t(label)}
      hint={isAmount ? hint && t(hint) : danger.word}
      error={typed.isWrong ? t(other) : undefined}
      inputMode={isAmount ? 'decimal' : 'text'}
      autoComplete="off"
      value={typed.text}
      onChange={(event) => typed.setText(event.currentTarget.value)}
    />
  )
}

/** As in replies and notes, Ctrl+Enter sends: here what the dialog asks, with all that must be typed or ticked first. */
function NoteField({ text, onText }: NonNullable<DecideDialogProps['note']>) {
  const t = useTexts()
  return (
    <TextArea
      label={t('proposal.noteLabel')}
      hint={t('proposal.noteHint')}
      maxLength={secondNoteMax}
      rows={2}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={sendByKey}
    />
  )
}
