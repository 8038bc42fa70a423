import type { Language } from '../../../contract/constants.ts'
import { content as de } from '../../../locales/de.json'
import { content as en } from '../../../locales/en.json'
import { content as fr } from '../../../locales/fr.json'
import { content as id } from '../../../locales/id.json'
import { content as ja } from '../../../locales/ja.json'
import { content as ko } from '../../../locales/ko.json'
import { content as th } from '../../../locales/th.json'
import { content as vi } from '../../../locales/vi.json'
import { content as zhCN } from '../../../locales/zh-CN.json'
import { content as zhTW } from '../../../locales/zh-TW.json'

/** The sentences around an article on the members' page, in each language: the preview is in the reader's, not the clerk's. */
export const memberTexts: Readonly<Record<Language, { updated: string; shownIn: string }>> = {
  de,
  en,
  fr,
  id,
  ja,
  ko,
  th,
  vi,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
}
