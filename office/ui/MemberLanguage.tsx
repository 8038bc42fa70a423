import type { Language } from '../../contract/constants.ts'
import { languageNames } from '../../src/text/languageNames.ts'
import { Badge } from '../../src/ui/Badge.tsx'
import { useTexts } from '../i18n.ts'

/** The language in which the member last used the app, if the venue has it. */
export function MemberLanguage({ language }: { language: Language | null }) {
  const t = useTexts()
  return (
    <Badge>
      {language === null ? t('member.noLanguage') : t('member.uses', { name: languageNames[language].own })}
    </Badge>
  )
}
