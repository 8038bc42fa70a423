import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { inOperatorsName } from '../src/text/operatorName.ts'
import { noValue } from '../src/text/format.ts'
import { oneStop } from '../src/text/oneStop.ts'
import { preferences, startLanguage, type OfficeLanguage } from './preferences.ts'
import type source from './locales/zh-CN.json'

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type Stem<K extends string> = K extends `${infer S}_${PluralForm}` ? S : K
type KeysOf<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${P}${Stem<K>}` : KeysOf<T[K], `${P}${K}.`>
}[keyof T & string]

/** A key of the office's packs; zh-CN is their source. The members' packs have none of these texts. */
export type TextKey = KeysOf<typeof source>
export type Texts = (key: TextKey, values?: Record<string, string | number>) => string

const namespace = 'office'

const packs: Record<OfficeLanguage, () => Promise<{ pack: Record<string, object> }>> = {
  'zh-CN': () => import('./packs/zh-CN.ts'),
  en: () => import('./packs/en.ts'),
}

async function addPack(language: OfficeLanguage): Promise<void> {
  if (i18next.hasResourceBundle(language, namespace)) return
  const { pack } = await packs[language]()
  for (const [name, texts] of Object.entries(inOperatorsName(pack)))
    i18next.addResourceBundle(language, name, texts)
}

/** Starts in the chosen language. Rejects if its pack cannot be loaded. */
export async function startI18n(): Promise<void> {
  await i18next
    .use(initReactI18next)
    .use(oneStop)
    .init({
      lng: startLanguage(),
      fallbackLng: false,
      resources: {},
      defaultNS: 'translation',
      interpolation: { escapeValue: false },
      postProcess: oneStop.name,
      returnEmptyString: false,
      react: { useSuspense: false, bindI18nStore: 'added' },
      missingInterpolationHandler: () => noValue,
    })
  await addPack(startLanguage())
}

/** Changes the language in place and stores it. Rejects and changes nothing if the pack cannot be loaded. */
export async function changeLanguage(language: OfficeLanguage): Promise<void> {
  await addPack(language)
  preferences.language = language
  await i18next.changeLanguage(language)
}

export const currentLanguage = (): OfficeLanguage => (i18next.language === 'en' ? 'en' : 'zh-CN')

/** The office's texts in the current language; the component renders again when it changes. */
export function useTexts(): Texts {
  const { t } = useTranslation(namespace as never)
  return t as unknown as Texts
}
