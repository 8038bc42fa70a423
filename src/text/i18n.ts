import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languages, type Language } from '../../contract/constants.ts'
import { inOperatorsName } from './operatorName.ts'
import { languageKey, renewLanguageCookie, startLanguage, storeChosenLanguage } from './chosenLanguage.ts'
import { noValue } from './format.ts'
import { LoadError, createLazy, type Lazy, type LazyResult } from '../start/lazy.ts'
import { oneStop } from './oneStop.ts'
import { watchStorage } from '../state/storage.ts'
import type source from '../../locales/zh-CN.json'

/** zh-CN is the source of keys: every pack has exactly its keys, and only these type-check. */
export type Pack = typeof source

declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Pack }
  }
}

const files = import.meta.glob<Pack>('../../locales/*.json', { import: 'default' })
const packs = new Map(Object.entries(files).map(([path, load]) => [path, createLazy(load)]))
const packOf = (language: Language) => packs.get(`../../locales/${language}.json`)

/** The languages that can be chosen: those with a pack. */
export const offeredLanguages: readonly Language[] = languages.filter((code) => packOf(code) !== undefined)

export const isOffered = (code: string | undefined): code is Language =>
  offeredLanguages.some((language) => language === code)

/** The language shown now. */
export const currentLanguage = (): Language =>
  isOffered(i18next.language) ? i18next.language : startLanguage()

/** Rejects if the pack cannot be loaded. @param load how it is loaded */
async function addPack(
  language: Language,
  load: (pack: Lazy<Pack>) => Promise<LazyResult<Pack>> = (pack) => pack.get(),
): Promise<void> {
  const lazyPack = packOf(language)
  if (lazyPack === undefined || i18next.hasResourceBundle(language, 'translation')) return
  const pack = await load(lazyPack)
  if (!pack.ok) throw new LoadError(pack.failure)
  i18next.addResourceBundle(language, 'translation', inOperatorsName(pack.value))
}

/**
 * Starts in the member's language. The returned promise rejects if the pack cannot be loaded. A key missing from every
 * pack is our mistake: development throws, and a build shows the key.
 */
export async function startI18n(): Promise<void> {
  const language = startLanguage()
  renewLanguageCookie()
  await i18next
    .use(initReactI18next)
    .use(oneStop)
    .init({
      lng: language,
      fallbackLng: false,
      resources: {},
      interpolation: { escapeValue: false },
      postProcess: oneStop.name,
      returnEmptyString: false,
      react: { useSuspense: false, bindI18nStore: 'added' },
      missingInterpolationHandler: () => noValue,
      parseMissingKeyHandler: (key) => {
        if (import.meta.env.DEV) throw new Error(`no text for ${key}`)
        return key
      },
    })
  await addPack(language)
  watchStorage([languageKey], () => void followOtherTab(startLanguage()))
}

/** Changes the language in place and stores it. Rejects and changes nothing if the pack cannot be loaded. */
export async function changeLanguage(language: Language): Promise<void> {
  // A reloaded page is in the language that could not be loaded here.
  const beforeReload = (): void => storeChosenLanguage(language)
  await addPack(language, (pack) => pack.getOrReload({ beforeReload }))
  // Before the change is announced: the service worker then fetches the page in the new language.
  storeChosenLanguage(language)
  await i18next.changeLanguage(language)
}

/**
 * Shows the language that was chosen in another tab. If it cannot be loaded, this tab stays as it is, because the
 * change was not requested here.
 */
async function followOtherTab(language: Language): Promise<void> {
  try {
    await addPack(language)
  } catch {
    return
  }
  if (language === startLanguage()) await i18next.changeLanguage(language)
}
