import { languages } from '../../contract/constants.ts'
import type { Language } from '../../contract/constants.ts'
import { languageNames } from '../../src/languageNames.ts'
import { Choice } from './Control.tsx'

type LanguageChoiceProps = { label: string; value: Language; onValue: (language: Language) => void }

/** One of the ten languages that members read. */
export function LanguageChoice({ label, value, onValue }: LanguageChoiceProps) {
  const options = languages.map((code) => ({ value: code, label: languageNames[code].own }))
  return (
    <Choice label={label} value={value} options={options} onValue={(code) => onValue(code as Language)} />
  )
}
