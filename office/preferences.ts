import * as z from 'zod/mini'
import { catch as fallback } from 'zod/mini'
import { proxy, subscribe, useSnapshot } from 'valtio'
import { themes } from '../src/state/preferences.ts'
import { readJson, watchStorage, writeText } from '../src/state/storage.ts'

/** Of the office alone: the same browser may be used as a member, in another language. */
const storageKey = 'office'

export const officeLanguages = ['zh-CN', 'en'] as const
export type OfficeLanguage = (typeof officeLanguages)[number]

const stored = z.object({
  theme: fallback(z.enum(themes), 'system'),
  language: fallback(z.nullable(z.enum(officeLanguages)), null),
  /** Whether single keys run commands; modifier keys always do. */
  singleKeys: fallback(z.boolean(), true),
  /** Whether a sound announces new work. */
  sound: fallback(z.boolean(), false),
})
type OfficePreferences = z.infer<typeof stored>

function load(): OfficePreferences {
  const raw = readJson(storageKey)
  return z.parse(stored, typeof raw === 'object' && raw !== null ? raw : {})
}

/** The display settings of the office that this browser stores; nothing about members or staff. */
export const preferences = proxy<OfficePreferences>(load())

export function persistPreferences(): void {
  subscribe(preferences, () => writeText(storageKey, JSON.stringify(preferences)))
  watchStorage([storageKey], () => Object.assign(preferences, load()))
}

export const usePreferences = (): OfficePreferences => useSnapshot(preferences)

/** The chosen language, else the browser's if the office has it, else Chinese. */
export function startLanguage(): OfficeLanguage {
  if (preferences.language !== null) return preferences.language
  const preferred = navigator.languages.find((tag) => /^(zh|en)\b/i.test(tag))
  return preferred !== undefined && /^en/i.test(preferred) ? 'en' : 'zh-CN'
}
