import type { Minor } from '../../../contract/units.ts'
import { languages, type Language } from '../../../contract/constants.ts'
import { cutoffHour } from '../../../contract/fund.ts'
import { formatMoney } from '../../../contract/money.ts'
import { kept, retention, type Kept } from '../../../contract/retention.ts'
import { looseningDelayMs } from '../../../contract/selfLimits.ts'
import { hourMs } from '../../../contract/time.ts'
import { fundSettingsOf, type FundSettings } from '../../money/index.ts'
import { companyLines } from '../../platform/company.ts'
import { languageFor } from './languageFor.ts'
import type { TemplateContext } from './template.ts'
import type { OfficeConfig, OfficeSettings } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type TemplateParts = {
  name: string
  company: readonly string[]
  serviceHours: Partial<Record<Language, string>>
  currency: string
  practice: boolean
  practiceBalance: Minor
  restHours: number
  rejectedPhotosKeptDays: number
  closedDataKeptYears: number
  fund: FundSettings
}

export type ContentSettings = Pick<
  OfficeSettings,
  'mode' | 'currency' | 'zone' | 'practiceBalance' | 'withdrawalRestMs'
> &
  OperatorSettings<
    OfficeConfig,
    | 'name'
    | 'company'
    | 'serviceHours'
    | 'pages'
    | 'fund'
    | 'holidays'
    | 'rejectedPhotosKeptDays'
    | 'closedDataKeptYears'
  >

export const templatePartsOf = (settings: ContentSettings): TemplateParts => ({
  name: settings.operatorConfig.name,
  company: companyLines(settings.operatorConfig.company),
  serviceHours: settings.operatorConfig.serviceHours,
  currency: settings.currency,
  practice: settings.mode === 'practice',
  practiceBalance: settings.practiceBalance,
  restHours: settings.withdrawalRestMs / hourMs,
  rejectedPhotosKeptDays: settings.operatorConfig.rejectedPhotosKeptDays,
  closedDataKeptYears: settings.operatorConfig.closedDataKeptYears,
  fund: fundSettingsOf(settings),
})

/** Locales for dates that differ from the language's default: British English, and no Buddhist years. */
const dateLocales: Partial<Record<Language, string>> = { en: 'en-GB', th: 'th-TH-u-ca-gregory' }

export type TemplateContexts = Readonly<Record<Language, TemplateContext>>

/** The limits that the venue enforces, formatted for each language. */
export const templateContexts = (parts: TemplateParts): TemplateContexts =>
  Object.fromEntries(languages.map((lang) => [lang, templateContextFor(parts, lang)])) as TemplateContexts

function templateContextFor(parts: TemplateParts, lang: Language): TemplateContext {
  const { fund, practice } = parts
  const amounts = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const money = (text: string): string => `${amounts.format(Number(text))}\u00A0${parts.currency}`
  const day = new Intl.DateTimeFormat(dateLocales[lang] ?? lang, {
    dateStyle: 'medium',
    timeZone: 'UTC',
  })
  const hoursIn = languageFor(lang, (code) => parts.serviceHours[code] !== undefined)
  const hours = hoursIn && parts.serviceHours[hoursIn]
  const holidays = [...fund.holidays].sort().map((on) => day.format(Date.parse(`${on}T00:00:00Z`)))
  return {
    values: {
      name: parts.name,
      // A list: each of the lines is shown as one.
      company: parts.company.map((line) => `- ${line}`).join('\n'),
      serviceHours: hours ?? '',
      currency: parts.currency,
      zone: zoneName(dateLocales[lang] ?? lang, fund.zone),
      cutoff: `${cutoffHour}:00`,
      depositsPerDay: String(fund.depositsPerDay),
      withdrawalsPerDay: String(fund.withdrawalsPerDay),
      fastCap: money(fund.fastCapPerDay),
      minDeposit: money(fund.minDeposit),
      holidays: new Intl.ListFormat(lang, { type: 'conjunction' }).format(holidays),
      practiceBalance: money(formatMoney(parts.practiceBalance)),
      restHours: countOf('hour', parts.restHours, lang),
      limitDelay: countOf('hour', looseningDelayMs / hourMs, lang),
      ...keptTexts(parts, lang),
    },
    conditions: {
      practice,
      live: !practice,
      holidays: holidays.length > 0,
      company: parts.company.length > 0,
      serviceHours: hours !== undefined,
      rest: parts.restHours > 0,
    },
  }
}

/** How long data is kept: `loginHistoryKept` and so on. */
function keptTexts(
  { rejectedPhotosKeptDays, closedDataKeptYears }: TemplateParts,
  lang: Language,
): Record<string, string> {
  const all: Record<string, Kept> = {
    ...retention,
    rejectedPhotos: kept(rejectedPhotosKeptDays, 'day'),
    closedData: kept(closedDataKeptYears, 'year'),
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, { count, unit }]) => [`${name}Kept`, countOf(unit, count, lang)]),
  )
}

/** `24 hours`, `24 Stunden`, `24時間`: on one line, and in Japanese without the space that Intl puts there. */
const countOf = (unit: Kept['unit'], count: number, lang: Language): string =>
  countFormat(unit, lang)
    .format(count)
    .replaceAll(' ', lang === 'ja' ? '' : '\u00A0')

/** Kept, because to make one takes longer than most of what a venue's start does with texts. */
const countFormats = new Map<string, Intl.NumberFormat>()
function countFormat(unit: Kept['unit'], lang: Language): Intl.NumberFormat {
  const key = `${lang} ${unit}`
  const format =
    countFormats.get(key) ?? new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' })
  countFormats.set(key, format)
  return format
}

/** Any instant: the generic name of a zone is the same all year. */
const anyInstant = Date.UTC(2026, 6, 1)

/** The generic name of a time zone; its city if the language has only an offset for it. */
export function zoneName(locale: string, timeZone: string): string {
  // Nobody in mainland China calls it by the name that Intl has.
  if (locale.startsWith('zh-CN') && timeZone === 'Asia/Shanghai') return '北京时间'
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(
    anyInstant,
  )
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  if (name !== undefined && !/^(GMT|UTC)/.test(name)) return name
  const [area, ...places] = timeZone.split('/')
  return area === 'Etc' ? timeZone : (places.at(-1)?.replaceAll('_', ' ') ?? timeZone)
}
