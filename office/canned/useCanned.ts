import { useEffect, useState } from 'react'
import type { Language } from '../../contract/constants.ts'
import { cannedIn, type CannedTexts } from './canned.ts'

/** The sentences in a language; undefined until they are loaded, and without a language. */
export function useCanned(language: Language | null): CannedTexts | undefined {
  const [texts, setTexts] = useState<{ language: Language; texts: CannedTexts }>()
  useEffect(() => {
    let isNewest = true
    if (language !== null)
      void cannedIn(language).then((value) => isNewest && setTexts({ language, texts: value }))
    return () => {
      isNewest = false
    }
  }, [language])
  return texts?.language === language ? texts.texts : undefined
}
