import type { Language } from '../../contract/constants.ts'
import { languageNames } from '../../src/text/languageNames.ts'
import { Badge } from '../../src/ui/Badge.tsx'
import { useTexts } from '../i18n.ts'

/** In which language the member uses the app, as far as the venue knows. */
export function MemberLanguage({ language }: { language: Language | null }) {
  const t = useTexts()
  return (
    <Badge>
      {language === null ? t('member.noLanguage') : t('member.uses', { name: languageNames[language].own })}
    </Badge>
  )
}
