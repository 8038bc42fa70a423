import type { Language } from '../../contract/constants.ts'

/** Each language's own name, and a short form for the bar. */
export const languageNames: Record<Language, { own: string; short: string }> = {
  'zh-CN': { own: '简体中文', short: '中文' },
  'zh-TW': { own: '繁體中文', short: '繁中' },
  en: { own: 'English', short: 'EN' },
  ja: { own: '日本語', short: '日本語' },
  th: { own: 'ไทย', short: 'ไทย' },
  vi: { own: 'Tiếng Việt', short: 'VI' },
  id: { own: 'Bahasa Indonesia', short: 'ID' },
  ko: { own: '한국어', short: '한국어' },
  fr: { own: 'Français', short: 'FR' },
  de: { own: 'Deutsch', short: 'DE' },
}
