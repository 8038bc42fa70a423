import { useTexts, type TextKey } from '../i18n.ts'
import texts from '../locales/zh-CN.json'

/** Where the words for each kind of name are. */
const groups = {
  acts: 'audit.acts',
  kinds: 'audit.kinds',
  details: 'audit.detail',
  purposes: 'audit.purposes',
  typed: 'audit.typed',
  reasons: 'member.reasons',
  roles: 'role',
  found: 'search.found',
  passwords: 'password',
  states: 'staff.status',
  awaited: 'audit.awaited',
  dangers: 'danger.names',
} as const
export type ActLogWords = keyof typeof groups

const words: Readonly<Record<ActLogWords, Readonly<Record<string, string>>>> = {
  acts: texts.audit.acts,
  kinds: texts.audit.kinds,
  details: texts.audit.detail,
  purposes: texts.audit.purposes,
  typed: texts.audit.typed,
  reasons: texts.member.reasons,
  roles: texts.role,
  found: texts.search.found,
  passwords: { login: texts.password.login, transaction: texts.password.transaction },
  states: texts.staff.status,
  awaited: texts.audit.awaited,
  dangers: texts.danger.names,
}

/** The names of a kind that the office has words for, as the act log stores them. */
export const actLogNames = (of: ActLogWords): string[] => Object.keys(words[of])

/** What the act log stores, in words; a name that the office has no words for is shown as it is. */
export function useActLogWord(): (of: ActLogWords, name: string) => string {
  const t = useTexts()
  return (of, name) => (Object.hasOwn(words[of], name) ? t(`${groups[of]}.${name}` as TextKey) : name)
}
