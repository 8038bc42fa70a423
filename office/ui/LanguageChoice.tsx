import type { RefObject } from 'react'
import { languages, type Language } from '../../contract/constants.ts'
import { languageNames } from '../../src/text/languageNames.ts'
import { useTexts } from '../i18n.ts'
import { MemberLanguage } from './MemberLanguage.tsx'
import { Choice } from './Control.tsx'

type LanguageChoiceProps = {
  label: string
  /** Null: none is chosen yet. */
  value: Language | null
  onValue: (language: Language) => void
  field?: RefObject<HTMLSelectElement | null>
  /** It must be chosen before anything is sent. */
  isMissing?: boolean
  /** Of the member who reads it, shown beside the choice; null if it is not known. */
  ofMember?: Language | null
}

/** One of the ten languages that members read. */
export function LanguageChoice(props: LanguageChoiceProps) {
  const { label, value, onValue, field, isMissing = false, ofMember } = props
  const t = useTexts()
  const options = languages.map((code) => ({ value: code, label: languageNames[code].own }))
  return (
    <>
      <Choice
        label={label}
        field={field}
        value={value ?? ''}
        options={value === null ? [{ value: '', label: t('action.choose') }, ...options] : options}
        error={isMissing ? t('error.noLanguage') : undefined}
        onValue={(code) => onValue(code as Language)}
      />
      {ofMember !== undefined && (ofMember === null || ofMember !== value) && (
        <MemberLanguage language={ofMember} />
      )}
    </>
  )
}
