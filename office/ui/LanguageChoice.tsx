import { languages, type Language } from '../../contract/constants.ts'
import { languageNames } from '../../src/text/languageNames.ts'
import { MemberLanguage } from './MemberLanguage.tsx'
import { Choice } from './Control.tsx'

type LanguageChoiceProps = {
  label: string
  value: Language
  onValue: (language: Language) => void
  /** Of the member who reads it, shown beside the choice; null if it is not known. */
  ofMember?: Language | null
}

/** One of the ten languages that members read. */
export function LanguageChoice({ label, value, onValue, ofMember }: LanguageChoiceProps) {
  const options = languages.map((code) => ({ value: code, label: languageNames[code].own }))
  return (
    <>
      <Choice label={label} value={value} options={options} onValue={(code) => onValue(code as Language)} />
      {ofMember !== undefined && ofMember !== value && <MemberLanguage language={ofMember} />}
    </>
  )
}
