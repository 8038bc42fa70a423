import type { Language } from '../../contract/constants.ts'

const packs = {
  'zh-CN': () => import('../../locales/zh-CN.json'),
  'zh-TW': () => import('../../locales/zh-TW.json'),
  en: () => import('../../locales/en.json'),
  ja: () => import('../../locales/ja.json'),
  th: () => import('../../locales/th.json'),
  vi: () => import('../../locales/vi.json'),
  id: () => import('../../locales/id.json'),
  ko: () => import('../../locales/ko.json'),
  fr: () => import('../../locales/fr.json'),
  de: () => import('../../locales/de.json'),
}

/** The app's texts in a language, loaded when they are needed. */
export const loadPack = (language: Language) => packs[language]()
