import type { Minor } from '../../contract/brand.ts'
import { languages } from '../../contract/constants.ts'
import type { Language } from '../../contract/constants.ts'
import { cutoffHour } from '../../contract/fund.ts'
import { formatMoney } from '../../contract/money.ts'
import type { Settings } from '../config.ts'
import { fundSettingsOf } from '../fund/fundSettings.ts'
import type { FundSettings } from '../fund/fundSettings.ts'
import { companyLines } from '../branding/company.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import { languageFor } from './languageFor.ts'
import type { TemplateContext } from './template.ts'
import { zoneName } from './zoneName.ts'

export type TemplateParts = {
  name: string
  company: readonly string[]
  serviceHours: Partial<Record<Language, string>>
  currency: string
  practice: boolean
  practiceBalance: Minor
  fund: FundSettings
}

export type ContentSettings = Pick<Settings, 'mode' | 'currency' | 'zone' | 'practiceBalance'> &
  OperatorSettings<'name' | 'company' | 'serviceHours' | 'pages' | 'fund' | 'holidays'>

export const templatePartsOf = (settings: ContentSettings): TemplateParts => ({
  name: settings.operatorConfig.name,
  company: companyLines(settings.operatorConfig.company),
  serviceHours: settings.operatorConfig.serviceHours,
  currency: settings.currency,
  practice: settings.mode === 'practice',
  practiceBalance: settings.practiceBalance,
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
    },
    conditions: {
      practice,
      live: !practice,
      holidays: holidays.length > 0,
      company: parts.company.length > 0,
      serviceHours: hours !== undefined,
    },
  }
}
