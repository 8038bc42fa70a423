import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languages } from '../contract/constants.ts'
import type { Language } from '../contract/constants.ts'
import { inOperatorsName } from './brand.ts'
import { languageKey, renewLanguageCookie, startLanguage, storeChosenLanguage } from './chosenLanguage.ts'
import { noValue } from './format.ts'
import { watchStorage } from './state/storage.ts'
import type source from '../locales/zh-CN.json'

/** zh-CN is the source of keys: every pack has exactly its keys, and only these type-check. */
export type Pack = typeof source

declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Pack }
  }
}

const packs = import.meta.glob<Pack>('../locales/*.json', { import: 'default' })
const packOf = (language: Language) => packs[`../locales/${language}.json`]

/** The languages that can be chosen: those with a pack. */
export const offeredLanguages: readonly Language[] = languages.filter((code) => packOf(code) !== undefined)

export const isOffered = (code: string | undefined): code is Language =>
  offeredLanguages.some((language) => language === code)

/** The language shown now. */
export const currentLanguage = (): Language =>
  isOffered(i18next.language) ? i18next.language : startLanguage()

async function addPack(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return
  const load = packOf(language)
  if (load) i18next.addResourceBundle(language, 'translation', inOperatorsName(await load()))
}

/**
 * Starts in the member's language. The returned promise rejects if the pack cannot be loaded. A key missing from every
 * pack is our mistake: development throws, and a build shows the key.
 */
export async function startI18n(): Promise<void> {
  const language = startLanguage()
  renewLanguageCookie()
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: {},
    interpolation: { escapeValue: false },
    returnEmptyString: false,
    react: { useSuspense: false, bindI18nStore: 'added' },
    missingInterpolationHandler: () => noValue,
    parseMissingKeyHandler: (key) => {
      if (import.meta.env.DEV) throw new Error(`no text for ${key}`)
      return key
    },
  })
  await addPack(language)
  watchStorage([languageKey], () => void changeLanguage(startLanguage()))
}

/** Changes the language in place and stores it. Rejects and changes nothing if the pack cannot be loaded. */
export async function changeLanguage(language: Language): Promise<void> {
  await addPack(language)
  // Before the change is announced: the service worker then fetches the page in the new language.
  storeChosenLanguage(language)
  await i18next.changeLanguage(language)
}
