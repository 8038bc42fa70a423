import { useRef, useState } from 'react'
import type { Language } from '../../../contract/constants.ts'
import { cx } from '../../../src/ui/cx.ts'
import { useCanned } from '../../canned/useCanned.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useListChoice } from '../../ui/useListChoice.ts'
import styles from './ReadyReplies.module.css'

const keys = 'mod+/'

type ReadyRepliesProps = {
  /** In which they are inserted. */
  language: Language
  onChoose: (text: string) => void
  /** Escape leaves the search for the reply. */
  onLeave: () => void
}

/** Ready-made replies: named in the clerk's language, inserted in the member's, and found by words of either. */
export function ReadyReplies({ language, onChoose, onLeave }: ReadyRepliesProps) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const own: Record<string, string> = useCanned(currentLanguage())?.chat ?? {}
  const theirs: Record<string, string> = useCanned(language)?.chat ?? {}
  const words = typed.toLowerCase().split(/\s+/)
  const entries = Object.entries(own)
    .map(([id, text]) => ({ id, text, inserted: theirs[id] ?? '' }))
    .filter(({ text, inserted }) => words.every((word) => `${text} ${inserted}`.toLowerCase().includes(word)))
  const choose = ({ inserted }: { inserted: string }): void => {
    setTyped('')
    restart()
    onChoose(inserted)
  }
  const { restart, fieldProps, listProps, optionProps } = useListChoice(entries, choose)
  useCommands([
    {
      label: 'thread.find',
      keys,
      group: 'request',
      run: () => field.current?.focus(),
      inFields: true,
    },
  ])
  return (
    <div
      className={styles.replies}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        setTyped('')
        onLeave()
      }}
    >
      <div className={styles.search}>
        <input
          ref={field}
          {...fieldProps}
          aria-expanded={isOpen}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          className={styles.field}
          aria-label={t('thread.find')}
          placeholder={t('thread.find')}
          maxLength={60}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            restart()
          }}
        />
        <Keys keys={keys} />
      </div>
      <div {...listProps} hidden={!isOpen} aria-label={t('thread.find')} className={styles.list}>
        {entries.map((entry) => {
          const option = optionProps(entry)
          return (
            <div
              key={entry.id}
              {...option}
              className={cx(styles.sentence, option['aria-selected'] && styles.active)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(entry)}
            >
              {entry.text}
            </div>
          )
        })}
        {entries.length === 0 && typed !== '' && (
          <p role="status" className={styles.none}>
            {t('thread.noneFound')}
          </p>
        )}
      </div>
    </div>
  )
}
