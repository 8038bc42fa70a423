import { useTexts } from '../i18n.ts'
import acts from '../locales/zh-CN.json'
import type { TextKey } from '../i18n.ts'

const known = acts.act as Record<string, Record<string, string>>

/** What a call does, in words; a call that the office has no words for is shown by its name. */
export function ActName({ act }: { act: string }) {
  const t = useTexts()
  const [noun = '', verb = ''] = act.split('.')
  return <>{known[noun]?.[verb] === undefined ? act : t(`act.${noun}.${verb}` as TextKey)}</>
}
