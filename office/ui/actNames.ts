import type { TextKey, Texts } from '../i18n.ts'
import texts from '../locales/zh-CN.json'

const known = texts.act as Record<string, Record<string, string>>

/** What a call does, in words; a call that the office has no words for is shown by its name. */
export function actNameOf(t: Texts, act: string): string {
  const [noun = '', verb = ''] = act.split('.')
  return known[noun]?.[verb] === undefined ? act : t(`act.${noun}.${verb}` as TextKey)
}
