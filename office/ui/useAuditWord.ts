import { useTexts } from '../i18n.ts'
import type { TextKey } from '../i18n.ts'
import texts from '../locales/zh-CN.json'

const words: Readonly<Record<'acts' | 'kinds', Readonly<Record<string, string>>>> = {
  acts: texts.audit.acts,
  kinds: texts.audit.kinds,
}

/** The acts or kinds of things that the office has words for, by the names that the audit stores. */
export const auditNames = (of: keyof typeof words): string[] => Object.keys(words[of])

/** What the audit stores, in words; a name that the office has no words for is shown as it is. */
export function useAuditWord(): (of: keyof typeof words, name: string) => string {
  const t = useTexts()
  return (of, name) => (Object.hasOwn(words[of], name) ? t(`audit.${of}.${name}` as TextKey) : name)
}
