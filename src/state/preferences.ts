import * as z from 'zod/mini'
import { catch as fallback } from 'zod/mini'
import { proxy, subscribe, useSnapshot } from 'valtio'
import type { Language } from '../../contract/constants.ts'
import { timeframeNames } from '../../contract/candles.ts'
import { amountPattern } from '../../contract/money.ts'
import { readJson, watchStorage, writeText } from './storage.ts'

const storageKey = 'preferences'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
/** Colours of rise and fall: green up, red up and green down, or red up and blue down. */
export const conventions = ['green', 'red', 'red-blue'] as const
export type Convention = (typeof conventions)[number]

/** The version of the risk notice that a member acknowledges; a new version asks again. */
export const riskNoticeVersion = 1
/** Members whose choice is remembered on one device. */
const dismissedMax = 20
/** Products that a member finds again in the switcher. */
const lastSeenMax = 8
/** More favourites than any list shows, and few enough to store. */
const favouritesMax = 200

const stored = z.object({
  theme: fallback(z.enum(themes), 'system'),
  /** null: the convention of the language. */
  convention: fallback(z.nullable(z.enum(conventions)), null),
  favourites: fallback(z.array(z.string()).check(z.maxLength(favouritesMax)), []),
  /** Products, newest first. */
  lastSeen: fallback(z.array(z.string()).check(z.maxLength(lastSeenMax)), []),
  riskNotice: fallback(z.int(), 0),
  amountsHidden: fallback(z.boolean(), false),
  /** The members who dismissed the hint at second factors. */
  hintDismissedBy: fallback(z.array(z.string()).check(z.maxLength(dismissedMax)), []),
  /** The members who had no second factor when it was last asked: the hint need not wait for the answer. */
  hintDueTo: fallback(z.array(z.string()).check(z.maxLength(dismissedMax)), []),
  /** Whether single keys operate the ticket on a wide screen. */
  shortcuts: fallback(z.boolean(), true),
  /** One-tap orders of a member, and the largest amount of one, as the contract's money string; null if they are off. */
  oneTap: fallback(
    z.nullable(z.object({ memberId: z.string(), max: z.string().check(z.regex(amountPattern)) })),
    null,
  ),
  /** Whether lists of products have one line per row. */
  denseLists: fallback(z.boolean(), false),
  /** Whether the browser notifies of results while the tab is hidden. */
  hiddenResults: fallback(z.boolean(), false),
  chart: fallback(
    z.object({
      /** null: the frame that fits the duration on the ticket. */
      frame: fallback(z.nullable(z.enum(timeframeNames)), null),
      style: fallback(z.enum(['candles', 'area']), 'candles'),
      /** The style of bars of seconds, most of which have few ticks. */
      secondsStyle: fallback(z.enum(['candles', 'area']), 'area'),
    }),
    { frame: null, style: 'candles', secondsStyle: 'area' },
  ),
})
export type Preferences = z.infer<typeof stored>

function load(): Preferences {
  const raw = readJson(storageKey)
  return z.parse(stored, typeof raw === 'object' && raw !== null ? raw : {})
}

/** Settings of this device, which survive logging out. */
export const preferences = proxy<Preferences>(load())

export function persistPreferences(): () => void {
  const unsubscribe = subscribe(preferences, () => writeText(storageKey, JSON.stringify(preferences)))
  const unwatch = watchStorage([storageKey], () => Object.assign(preferences, load()))
  return () => {
    unsubscribe()
    unwatch()
  }
}

/** The convention usual in a language: red up in Chinese and Japanese, red and blue in Korean. */
export function conventionOf(language: Language): Convention {
  if (language === 'ko') return 'red-blue'
  return language === 'zh-CN' || language === 'zh-TW' || language === 'ja' ? 'red' : 'green'
}

export function resetPreferences(): void {
  Object.assign(preferences, z.parse(stored, {}))
}

export function toggleFavourite(id: string): void {
  const at = preferences.favourites.indexOf(id)
  if (at >= 0) preferences.favourites.splice(at, 1)
  else preferences.favourites = [...preferences.favourites, id].slice(-favouritesMax)
}

export function noteSeen(id: string): void {
  if (preferences.lastSeen[0] === id) return
  preferences.lastSeen = [id, ...preferences.lastSeen.filter((each) => each !== id)].slice(0, lastSeenMax)
}

export function dismissHint(memberId: string): void {
  preferences.hintDismissedBy = [...preferences.hintDismissedBy, memberId].slice(-dismissedMax)
}

/** Notes whether the hint at second factors is due to a member. */
export function noteHint(memberId: string, isDue: boolean): void {
  const others = preferences.hintDueTo.filter((id) => id !== memberId)
  if (isDue !== preferences.hintDueTo.includes(memberId))
    preferences.hintDueTo = isDue ? [...others, memberId].slice(-dismissedMax) : others
}

export const usePreferences = (): Preferences => useSnapshot(preferences) as Preferences
