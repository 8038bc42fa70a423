import { useRef, useState } from 'react'
import type { Language } from '../../../contract/constants.ts'
import { languageNames } from '../../../src/text/languageNames.ts'
import { cx } from '../../../src/ui/cx.ts'
import { useCanned } from '../../canned/useCanned.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useListChoice } from '../../ui/useListChoice.ts'
import styles from './ReadyReplies.module.css'

const keys = 'mod+/'

type ReadyRepliesProps = {
  /** In which they are inserted; null: it must be chosen first. */
  language: Language | null
  /** False if the language is missing, which it then asks for. */
  mayChoose: () => boolean
  onChoose: (text: string) => void
  /** Escape leaves the search for the reply. */
  onLeave: () => void
}

/** Ready-made replies: named in the clerk's language, inserted in the member's, and found by words of either. */
export function ReadyReplies({ language, mayChoose, onChoose, onLeave }: ReadyRepliesProps) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const entries = useReplies(language, typed)
  const choose = ({ inserted }: Reply): void => {
    if (!mayChoose()) return
    setTyped('')
    onChoose(inserted)
  }
  const { restart, fieldProps, listProps, optionProps } = useListChoice(entries, choose)
  const find = (): void => field.current?.focus()
  useCommands([{ label: 'thread.find', keys, group: 'request', run: find, inFields: true }])
  return (
    <div className={styles.replies}>
      <div className={styles.search}>
        <input
          {...fieldProps}
          ref={field}
          role="combobox"
          aria-controls={listProps.id}
          aria-expanded={isOpen}
          className={styles.field}
          aria-label={t('thread.find')}
          placeholder={t('thread.find')}
          maxLength={60}
          value={typed}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return fieldProps.onKeyDown(event)
            event.preventDefault()
            setTyped('')
            onLeave()
          }}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            restart()
          }}
        />
        <Keys keys={keys} />
      </div>
      <div {...listProps} hidden={!isOpen} aria-label={t('thread.find')} className={styles.list}>
        {entries.map((entry) => (
          <Option key={entry.id} option={optionProps(entry)} onChoose={() => choose(entry)}>
            {entry.text}
          </Option>
        ))}
      </div>
      {isOpen && entries.length === 0 && typed !== '' && (
        <p role="status" className={styles.none}>
          {t('thread.noneFound', { languages: searchedIn(language) })}
        </p>
      )}
    </div>
  )
}

/** The languages whose words find a reply. */
const searchedIn = (language: Language | null): string =>
  [...new Set([currentLanguage(), language ?? currentLanguage()])]
    .map((code) => languageNames[code].own)
    .join(', ')

type Reply = { id: string; text: string; inserted: string }

/** Those that have all words that were typed. */
function useReplies(language: Language | null, typed: string): Reply[] {
  const own: Record<string, string> = useCanned(currentLanguage())?.chat ?? {}
  const theirs: Record<string, string> = useCanned(language)?.chat ?? {}
  const words = typed.toLowerCase().split(/\s+/)
  return Object.entries(own)
    .map(([id, text]) => ({ id, text, inserted: theirs[id] ?? '' }))
    .filter(({ text, inserted }) => words.every((word) => `${text} ${inserted}`.toLowerCase().includes(word)))
}

type OptionProps = {
  option: ReturnType<ReturnType<typeof useListChoice>['optionProps']>
  onChoose: () => void
  children: string
}

/** The field keeps the focus, so a press must not take it. */
const Option = ({ option, onChoose, children }: OptionProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
  <div
    {...option}
    role="option"
    aria-selected={option['aria-selected']}
    tabIndex={-1}
    className={cx(styles.sentence, option['aria-selected'] && styles.active)}
    onPointerDown={(event) => event.preventDefault()}
    onClick={onChoose}
  >
    {children}
  </div>
)
