import { useRef, useState } from 'react'
import type { Language } from '../../contract/constants.ts'

/** What is known of the language in which a member reads: that of the app, and that of the newest words in the conversation. */
export type Reads = { language: Language | null; writesIn: Language | null }

/**
 * The language in which something is written to a member: what the clerk chose, or else that of the app, or else the one that
 * the member writes in. If none is known, none is chosen, and `check` takes the focus to the choice.
 */
export function useReadLanguage(member: Reads | null) {
  const [chosen, setLanguage] = useState<Language | null>(null)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLSelectElement>(null)
  const language = chosen ?? member?.language ?? member?.writesIn ?? null
  const isWanted = isMissing && language === null
  return {
    language,
    check: (): boolean => {
      setMissing(true)
      if (language === null) field.current?.focus()
      return language !== null
    },
    choice: { field, value: language, onValue: setLanguage, isMissing: isWanted },
  }
}
